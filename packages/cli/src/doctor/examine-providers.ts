import { knownProviders, ProviderVariables } from '@parley/agent/node';
import { CliError } from '../cli-error.ts';
import type { Variables } from '../configuration/places.ts';
import { readTrustedVariables } from '../configuration/project-variables.ts';
import { readStoredProviders, withStoredProviders } from '../models/model-store.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** Which model providers our own agent has: names, never keys. */
export async function examineProviders(cwd: string, env: Variables): Promise<readonly Finding[]> {
  try {
    const connected = await withStoredProviders(env);
    return [...(await examineStored(env, connected)), ...(await examineFound(cwd, connected))];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [problem('models', error.message, 'correct the file, or connect the provider again')];
  }
}

/** A key in a keychain that is locked, or gone, is missing. */
async function examineStored(env: Variables, connected: Variables): Promise<readonly Finding[]> {
  const variables = new ProviderVariables(connected);
  const lost = (await readStoredProviders(env)).filter(({ id }) => variables.find(id) === undefined);
  return lost.map(({ id }) =>
    problem(
      'models',
      `the key of ${id} could not be read from the system's keychain`,
      `unlock the keychain, or connect it again: parley models connect ${id}`,
    ),
  );
}

async function examineFound(cwd: string, env: Variables): Promise<readonly Finding[]> {
  const variables = new ProviderVariables(env, (await readTrustedVariables(cwd, env)).variables);
  const { chosen } = variables;
  const names = [...new Set([...(chosen === undefined ? [] : [chosen]), ...knownProviders])];
  const found = names.filter((name) => variables.find(name) !== undefined);
  if (chosen !== undefined && !found.includes(chosen)) {
    const prefix = chosen.toUpperCase().replace(/[^A-Z0-9]/gu, '_');
    return [
      problem(
        'models',
        `LLM_PROVIDER names ${chosen}, but no other variable configures it`,
        `set ${prefix}_API_KEY or ${prefix}_BASE_URL, or unset LLM_PROVIDER`,
      ),
    ];
  }
  const [first] = found;
  if (first === undefined) {
    return [
      note(
        'models',
        'no API key set; the offline demo model answers',
        'parley models connect anthropic, openai or gemini; or set a key such as OPENAI_API_KEY',
      ),
    ];
  }
  return [ok('models', `${found.join(', ')}; ${first} answers unless another one is chosen`)];
}
