import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} Agent
 * @property {string} name As on the command line of Parley.
 * @property {readonly string[]} [flags] Of `parley run`.
 * @property {(url: string) => Record<string, string>} [variables] That lead it to the model provider.
 * @property {(url: string) => Record<string, unknown>} [files] In its home folder, with the same purpose: JSON, or text.
 * @property {boolean} [needsScripts] Whether a user has to install it: Parley runs no install scripts of packages.
 * @property {readonly string[]} [packages] Of npm that it needs besides its own, in exact versions.
 */

/**
 * The agents of the catalogue that take a model provider of one's own, and what leads each to it.
 *
 * @type {readonly Agent[]}
 */
export const agents = [
  {
    name: 'gemini',
    variables: (url) => ({
      GEMINI_API_KEY: 'local',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_MODEL: 'gemini-2.5-flash',
    }),
    files: () => ({
      '.gemini/settings.json': {
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      },
    }),
  },
  {
    name: 'qwen',
    flags: ['--mode', 'default'],
    variables: (url) => ({ OPENAI_API_KEY: 'local', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'local' }),
    files: () => ({
      '.qwen/settings.json': {
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'openai' } },
      },
    }),
  },
  {
    name: 'claude',
    flags: ['--mode', 'default'],
    variables: (url) => ({
      ANTHROPIC_API_KEY: 'sk-local',
      ANTHROPIC_BASE_URL: url,
      // It does not run as root, except in a container.
      ...(process.getuid?.() === 0 && { IS_SANDBOX: '1' }),
    }),
  },
  {
    name: 'codex',
    flags: ['--mode', 'agent-full-access'],
    files: (url) => ({
      '.codex/config.toml': [
        'model = "local"',
        'model_provider = "local"',
        '[model_providers.local]',
        'name = "local"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        '',
      ].join('\n'),
    }),
  },
  {
    name: 'opencode',
    needsScripts: true,
    files: (url) => ({
      '.config/opencode/opencode.json': {
        model: 'local/local',
        small_model: 'local/local',
        autoupdate: false,
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'local' },
            models: { local: { name: 'local' } },
          },
        },
      },
    }),
  },
  {
    name: 'pi',
    packages: ['@earendil-works/pi-coding-agent@0.87.1'],
    files: (url) => ({
      '.pi/agent/models.json': {
        providers: {
          local: {
            baseUrl: `${url}/v1`,
            api: 'openai-completions',
            apiKey: 'local',
            models: [{ id: 'local' }],
          },
        },
      },
      '.pi/agent/settings.json': { defaultProvider: 'local', defaultModel: 'local' },
    }),
  },
];

/**
 * Writes the settings of an agent into its home folder.
 *
 * @param {Agent} agent
 * @param {string} home
 * @param {string} url
 */
export async function writeSettings({ files }, home, url) {
  for (const [name, content] of Object.entries(files?.(url) ?? {})) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}
