import type { CloseReason } from '@parley/wire';
import { streamTransport } from '@parley/wire/node';
import { startProcess, WorkspaceError, type ProcessGroup } from '@parley/workspace';
import { HostError } from '../host-error.ts';
import type { AgentConnection } from './agent-connection.ts';
import type { OpenAgentOptions } from './agent-options.ts';
import { startOf } from './package-runner.ts';
import { startAgent, type AgentLink } from './start-agent.ts';
import { keepStderr } from './stderr-tail.ts';

/**
 * Starts an agent in its own process group and initializes the connection. If it throws, no process of the agent is
 * left.
 *
 * @throws {HostError} `start-failed`, `start-timeout`, `unsupported-version`, `auth-required`, `aborted`, …
 */
export async function openAgent(options: OpenAgentOptions): Promise<AgentConnection> {
  const { name = options.command, maxLineBytes, onEvent, signal } = options;
  if (signal?.aborted === true) throw new HostError('aborted', `start ${JSON.stringify(name)}: aborted`);
  const { group, trouble } = await start(options);
  if (options.firstLine !== undefined) group.stdin.write(`${options.firstLine}\n`);
  const stderrTail = keepStderr(group.stderr, (text) => {
    void onEvent({ type: 'stderr', text });
  });
  const transport = streamTransport({
    input: group.stdout,
    output: group.stdin,
    exited: group.exited.then((): CloseReason => ({ code: 'exited', message: 'the agent exited' })),
    ...(maxLineBytes !== undefined && { maxLineBytes }),
  });
  return startAgent(
    { name, transport, group, stderrTail, ...(trouble !== undefined && { trouble }) },
    options,
  );
}

async function start(
  options: OpenAgentOptions,
): Promise<Pick<AgentLink, 'trouble'> & { group: ProcessGroup }> {
  const { command, args = [], sandbox, network, startedAhead } = options;
  try {
    const wanted = { command, args, ...(await startOf(options)) };
    if (sandbox === undefined) return { group: startedAhead?.(wanted) ?? (await startProcess(wanted)) };
    const held = sandbox.hold(wanted);
    return { group: await startProcess(held.options), trouble: () => held.trouble() };
  } catch (error) {
    await sandbox?.close();
    await network?.close();
    if (!(error instanceof WorkspaceError)) throw error;
    throw new HostError('start-failed', error.message, { cause: error });
  }
}
