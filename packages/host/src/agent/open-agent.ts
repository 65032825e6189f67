import type { CloseReason } from '@parley/wire';
import { streamTransport } from '@parley/wire/node';
import { startProcess, WorkspaceError, type ProcessGroup } from '@parley/workspace';
import { HostError } from '../host-error.ts';
import type { AgentConnection } from './agent-connection.ts';
import type { OpenAgentOptions } from './agent-options.ts';
import { startOf } from './package-runner.ts';
import { startAgent } from './start-agent.ts';
import { keepStderr } from './stderr-tail.ts';

/**
 * Starts an agent in a process group of its own and introduces both sides to each other. If it throws, nothing of
 * the agent is left.
 *
 * @throws {HostError} `start-failed`, `start-timeout`, `unsupported-version`, `auth-required`, `aborted`, …
 */
export async function openAgent(options: OpenAgentOptions): Promise<AgentConnection> {
  const { name = options.command, maxLineBytes, onEvent, signal } = options;
  if (signal?.aborted === true) throw new HostError('aborted', `start ${JSON.stringify(name)}: aborted`);
  const group = await start(options);
  const stderrTail = keepStderr(group.stderr, (text) => {
    void onEvent({ type: 'stderr', text });
  });
  const transport = streamTransport({
    input: group.stdout,
    output: group.stdin,
    exited: group.exited.then((): CloseReason => ({ code: 'exited', message: 'the agent exited' })),
    ...(maxLineBytes !== undefined && { maxLineBytes }),
  });
  return startAgent({ name, transport, group, stderrTail }, options);
}

async function start(options: OpenAgentOptions): Promise<ProcessGroup> {
  const { command, args = [] } = options;
  try {
    return await startProcess({ command, args, ...(await startOf(options)) });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    throw new HostError('start-failed', error.message, { cause: error });
  }
}
