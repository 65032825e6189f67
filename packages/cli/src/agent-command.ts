import { serveStdio, type ProjectVariables } from '@parley/agent/node';
import type { ConfiguredRule } from '@parley/workspace';
import { CliError } from './cli-error.ts';
import { ownAgentRules } from './configuration/configuration.ts';
import { userInstructionsFile } from './configuration/places.ts';

/** `parley agent`: our own agent on standard input and output. Gives the exit status. */
export async function agentCommand(words: readonly string[]): Promise<number> {
  const flags = parseAgentFlags(words);
  const recorded = recordOwnProcesses();
  const status = await serveStdio({
    ...flags,
    rules: configuredRules,
    projectVariables,
    userInstructions: userInstructionsFile(process.env),
  });
  await recorded;
  return status;
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

/** An editor may show no notice: what is not used of a folder is said on standard error as well. */
async function projectVariables(cwd: string): Promise<ProjectVariables> {
  const { readTrustedVariables } = await import('./configuration/project-variables.ts');
  const found = await readTrustedVariables(cwd, process.env);
  if (found.notice !== undefined) warn(`${found.notice.title}: ${found.notice.description}`);
  return found;
}

/** How our agent differs from what the protocol says, and what it goes on with. */
export interface AgentFlags {
  readonly dialect?: 'agentao';
  /** The model sessions begin with, as `provider/model`. */
  readonly initialModel?: string;
  /** The first session goes on with this one, by default the last one in its directory. */
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
