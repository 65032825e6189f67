import { serveStdio } from '@parley/agent/node';
import { CliError } from './cli-error.ts';

/** `parley agent`: our own agent on standard input and output. Gives the exit status. */
export function agentCommand(words: readonly string[]): Promise<number> {
  return serveStdio(parseAgentFlags(words));
}

/** How our agent differs from what the protocol says. */
export interface AgentFlags {
  readonly dialect?: 'agentao';
}

/** Reads the flags of `parley agent`. They are few, and its start is not to wait for a parser of many. */
export function parseAgentFlags(words: readonly string[]): AgentFlags {
  const [flag, ...others] = words.flatMap((word) =>
    word.startsWith('--dialect=') ? ['--dialect', word.slice(10)] : [word],
  );
  if (flag === undefined) return {};
  if (flag !== '--dialect') {
    throw new CliError('usage', `agent: unknown argument '${flag}'; see parley agent --help`);
  }
  const [dialect, ...rest] = others;
  if (dialect !== 'agentao') throw new CliError('usage', '--dialect: expected agentao');
  if (rest.length > 0) {
    throw new CliError('usage', `agent: unknown argument '${rest.join(' ')}'; see parley agent --help`);
  }
  return { dialect };
}
