import { serveStdio, type CommandHolder, type ProjectVariables, type Variables } from '@parley/agent/node';
import type { ConfiguredRule, WebProxy } from '@parley/workspace';
import { CliError } from './cli-error.ts';
import { ownAgentRules } from './configuration/configuration.ts';
import { userInstructionsFile } from './configuration/places.ts';
import type { HeldAgentSettings } from './conversation/agent/held-own-agent.ts';

/** `parley agent`: our own agent on standard input and output. Gives the exit status. */
export async function agentCommand(words: readonly string[]): Promise<number> {
  const flags = parseAgentFlags(words);
  const held = await heldSettings();
  const proxy = held === undefined ? undefined : proxyOfSandbox(process.env);
  if (proxy !== undefined) {
    const { proxyFetch } = await import('./conversation/agent/proxy-fetch.ts');
    globalThis.fetch = proxyFetch(proxy, globalThis.fetch);
  }
  // In a sandbox, what it starts ends with it.
  const recorded = held === undefined ? recordOwnProcesses() : Promise.resolve();
  const status = await serveStdio({
    ...flags,
    rules: held === undefined ? configuredRules : () => Promise.resolve(held.rules),
    variables: held === undefined ? variables : () => Promise.resolve({ ...process.env, ...held.providers }),
    projectVariables: held === undefined ? projectVariables : () => Promise.resolve(held),
    userInstructions: userInstructionsFile(process.env),
    ...(proxy !== undefined && { proxy }),
    ...(held === undefined && { findCommandHolder: commandHolder }),
  });
  await recorded;
  return status;
}

/** What Parley hands on to an agent that it holds in a sandbox; undefined where it does not. */
async function heldSettings(): Promise<HeldAgentSettings | undefined> {
  if (process.env['PARLEY_HELD_AGENT'] === undefined) return undefined;
  const { takeHeldSettings } = await import('./conversation/agent/held-own-agent.ts');
  return await takeHeldSettings(process.env, process.stdin);
}

/** The only way out of a sandbox with a list of hosts. */
function proxyOfSandbox({ HTTPS_PROXY: url = '', NO_PROXY: except = '' }: Variables): WebProxy | undefined {
  return url === '' ? undefined : { url: new URL(url), except: except.split(',') };
}

/** The commands and servers of its sessions are written down while it answers already. Never rejects. */
async function recordOwnProcesses(): Promise<void> {
  const { recordProcesses } = await import('./conversation/record-processes.ts');
  await recordProcesses(process.env, (_code, message) => warn(message));
}

function warn(message: string): void {
  process.stderr.write(`parley agent: ${message}\n`);
}

/** What the user and the project have configured for a directory. Its reading is not to delay the start. */
async function configuredRules(cwd: string): Promise<readonly ConfiguredRule[]> {
  const { readConfiguration } = await import('./configuration/read-configuration.ts');
  const { rules } = await readConfiguration({
    cwd,
    env: process.env,
    warn,
  });
  return ownAgentRules(rules);
}

/** What holds commands in the mode `workspace-write`; a whole agent that is held opens no sandbox in its own. */
async function commandHolder(directories: readonly string[]): Promise<CommandHolder | undefined> {
  const [{ readConfiguration }, { findCommandHolder }] = await Promise.all([
    import('./configuration/read-configuration.ts'),
    import('./conversation/agent/command-holder.ts'),
  ]);
  const [cwd = '/'] = directories;
  const configuration = await readConfiguration({ cwd, env: process.env, warn: () => undefined });
  return await findCommandHolder(directories, configuration, process.env);
}

/** The variables of the process, and the providers that were connected. A damaged file of theirs is reported, and not used. */
async function variables(): Promise<Variables> {
  const { withStoredProviders } = await import('./models/model-store.ts');
  try {
    return await withStoredProviders(process.env);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    warn(error.message);
    return process.env;
  }
}

/** An editor may not show notices: ignored variables of a folder are also reported on standard error. */
async function projectVariables(cwd: string): Promise<ProjectVariables> {
  const { readTrustedVariables } = await import('./configuration/project-variables.ts');
  const found = await readTrustedVariables(cwd, process.env);
  if (found.notice !== undefined) warn(`${found.notice.title}: ${found.notice.description}`);
  return found;
}

/** The dialect of our agent, and the model and session that it starts with. */
export interface AgentFlags {
  readonly dialect?: 'agentao';
  /** The model sessions begin with, as `provider/model`. */
  readonly initialModel?: string;
  /** The session that the first session/new resumes. @default the last one in its directory */
  readonly resume?: { readonly sessionId?: string };
}

/** Reads the flags of `parley agent`. They are few, and its start is not to wait for a parser of many. */
export function parseAgentFlags(words: readonly string[]): AgentFlags {
  const left = words.flatMap((word) => /^(--[a-z]+)=(.*)$/su.exec(word)?.slice(1) ?? [word]);
  const flags: { -readonly [F in keyof AgentFlags]: AgentFlags[F] } = {};
  for (let flag = left.shift(); flag !== undefined; flag = left.shift()) {
    switch (flag) {
      case '--dialect':
        if (left.shift() !== 'agentao') throw new CliError('usage', '--dialect: expected agentao');
        flags.dialect = 'agentao';
        break;
      case '--model': {
        const initialModel = left.shift() ?? '';
        if (!/^\s*[^/\s][^/]*\/\s*\S/u.test(initialModel)) {
          throw new CliError('usage', '--model: expected PROVIDER/MODEL');
        }
        flags.initialModel = initialModel;
        break;
      }
      case '--resume': {
        const sessionId = left[0]?.startsWith('-') === false ? left.shift() : undefined;
        flags.resume = sessionId === undefined ? {} : { sessionId };
        break;
      }
      default:
        throw new CliError('usage', `agent: unknown argument '${flag}'; see parley agent --help`);
    }
  }
  return flags;
}
