import path from 'node:path';
import type { ProjectVariables } from '@parley/agent/node';
import type { AgentSpec, SandboxSettings, SandboxWish } from '@parley/host';
import type { ConfiguredRule } from '@parley/workspace';
import { CliError } from '../../cli-error.ts';
import { ownAgentName, ownAgentRules, type Configuration } from '../../configuration/configuration.ts';
import { stateFolder, userInstructionsFile, type Variables } from '../../configuration/places.ts';
import { readTrustedVariables } from '../../configuration/project-variables.ts';
import { sandboxSettings } from '../../configuration/sandbox-settings.ts';
import { withStoredProviders } from '../../models/model-store.ts';

/** The variable by which our own agent in a sandbox receives what it cannot read there. */
const variable = 'PARLEY_HELD_AGENT';

/** What our own agent receives in a sandbox, where the configuration of its user is hidden. */
export interface HeldAgentSettings extends ProjectVariables {
  readonly rules: readonly ConfiguredRule[];
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
  const held: HeldAgentSettings = { rules: ownAgentRules(configuration.rules), variables: project };
  const connected = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined || value === env[name] ? [] : [[name, value] as const],
  );
  return {
    ...settings,
    program: [userInstructionsFile(env)],
    env: { ...Object.fromEntries(connected), [variable]: JSON.stringify(held) },
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

/** Takes what our own agent was given in a sandbox out of the variables of this process, so that no command inherits it. */
export function takeHeldSettings(env: NodeJS.ProcessEnv): HeldAgentSettings | undefined {
  const text = env[variable];
  delete env[variable];
  if (text === undefined) return undefined;
  const given: unknown = JSON.parse(text);
  if (isHeldSettings(given)) return given;
  throw new CliError('usage', `${variable} is set by Parley itself, and is damaged here`);
}

function isHeldSettings(given: unknown): given is HeldAgentSettings {
  return (
    typeof given === 'object' &&
    given !== null &&
    'rules' in given &&
    Array.isArray(given.rules) &&
    'variables' in given &&
    typeof given.variables === 'object'
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
