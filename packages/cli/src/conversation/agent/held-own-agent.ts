import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { ProjectVariables } from '@parley/agent/node';
import type { AgentSpec, SandboxSettings, SandboxWish } from '@parley/host';
import type { ConfiguredRule } from '@parley/workspace';
import { CliError } from '../../cli-error.ts';
import { ownAgentName, ownAgentRules, type Configuration } from '../../configuration/configuration.ts';
import { stateFolder, userInstructionsFile, type Variables } from '../../configuration/places.ts';
import { readTrustedVariables } from '../../configuration/project-variables.ts';
import { sandboxSettings } from '../../configuration/sandbox-settings.ts';
import { withStoredProviders } from '../../models/model-store.ts';

/**
 * The variable by which our own agent in a sandbox knows that it receives a line with what it cannot read there. Not the variable holds it: each process
 * there can read the variables with which another one was started.
 */
const variable = 'PARLEY_HELD_AGENT';

/** What our own agent receives in a sandbox, where the configuration of its user is hidden. */
export interface HeldAgentSettings extends ProjectVariables {
  readonly rules: readonly ConfiguredRule[];
  /** The keys of connected providers, by their variables. */
  readonly providers: Variables;
}

/** How our own agent is held; undefined where it is not. */
export async function ownAgentSandbox(
  configuration: Pick<Configuration, 'sandbox' | 'rules'>,
  env: Variables,
  wish: SandboxWish,
): Promise<SandboxSettings | undefined> {
  const variables = await withStoredProviders(env);
  const spec = { ...wish.spec, stateDirs: [path.join(stateFolder(env), 'agent')], hosts: hostsOf(variables) };
  const settings = sandboxSettings(configuration, env, { ...wish, spec });
  if (settings === undefined) return undefined;
  const { variables: project } = await readTrustedVariables(wish.cwd, env);
  const connected = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined || value === env[name] ? [] : [[name, value] as const],
  );
  const held: HeldAgentSettings = {
    rules: ownAgentRules(configuration.rules),
    variables: project,
    providers: Object.fromEntries(connected),
  };
  return {
    ...settings,
    program: [userInstructionsFile(env)],
    env: { [variable]: 'input' },
    firstLine: JSON.stringify(held),
  };
}

/** Our own agent as a process: only a process can be held. */
export function ownAgentProcess(model?: string): AgentSpec {
  const [command, ...args] = ownCommand();
  return {
    name: ownAgentName,
    reach: {
      by: 'command',
      command,
      args: [...args, ...(model === undefined ? [] : ['--model', model])],
    },
  };
}

/** Reads what our own agent is given in a sandbox. No command inherits the variable. */
export async function takeHeldSettings(
  env: NodeJS.ProcessEnv,
  input: Readable,
): Promise<HeldAgentSettings | undefined> {
  const isGiven = env[variable] !== undefined;
  delete env[variable];
  if (!isGiven) return undefined;
  const given = parseJson(await readFirstLine(input));
  if (isHeldSettings(given)) return given;
  throw new CliError(
    'usage',
    `${variable} is set by Parley itself, which then sends a line of settings; unset it`,
  );
}

/** Reads up to the first line break, and leaves the rest to be read. Returns what there is if the input ends before. */
async function readFirstLine(input: Readable): Promise<string> {
  const read: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const next: unknown = input.read();
    if (Buffer.isBuffer(next)) {
      const end = next.indexOf('\n');
      read.push(end === -1 ? next : next.subarray(0, end));
      if (end !== -1) {
        if (end + 1 < next.length) input.unshift(next.subarray(end + 1));
        break;
      }
      bytes += next.length;
      if (bytes > mostSettingsBytes) break;
    } else if (!(await hasMore(input))) break;
  }
  return Buffer.concat(read).toString('utf8');
}

/** Length of the settings of our own agent in a sandbox. */
const mostSettingsBytes = 16 * 1024 * 1024;

async function hasMore(input: Readable): Promise<boolean> {
  if (input.readableEnded || input.destroyed) return false;
  const ended = new AbortController();
  const { signal } = ended;
  try {
    return await Promise.race([
      once(input, 'readable', { signal }).then(() => true),
      once(input, 'end', { signal }).then(() => false),
    ]);
  } finally {
    ended.abort();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isHeldSettings(given: unknown): given is HeldAgentSettings {
  return (
    typeof given === 'object' &&
    given !== null &&
    'rules' in given &&
    Array.isArray(given.rules) &&
    'variables' in given &&
    typeof given.variables === 'object' &&
    'providers' in given &&
    typeof given.providers === 'object'
  );
}

/** The command line of our own agent: this very program, started once more. */
function ownCommand(): readonly [string, ...string[]] {
  return [process.execPath, process.argv[1] ?? '', 'agent'];
}

/** The hosts of the model providers: those of their own, and those that variables name. */
function hostsOf(variables: Variables): readonly string[] {
  const named = Object.entries(variables).flatMap(([name, value = '']) =>
    name.endsWith('_BASE_URL') && URL.canParse(value) ? [hostOf(new URL(value))] : [],
  );
  return [...new Set([...providerHosts, ...named])];
}

const providerHosts = ['api.openai.com', 'api.anthropic.com', 'generativelanguage.googleapis.com'];

function hostOf({ hostname, port, protocol }: URL): string {
  const usual = protocol === 'http:' ? '80' : '443';
  return `${hostname}:${port === '' ? usual : port}`;
}
