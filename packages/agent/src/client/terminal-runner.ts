import type { TerminalExitStatus, TerminalOutputResponse } from '@parley/acp';
import type { Clock, CommandResult } from '../environment.ts';
import { lastCharacters } from '../last-characters.ts';
import type { AgentLimits } from '../limits.ts';
import type { CommandRunner } from '../tools/command/command-runner.ts';
import type { Workplace } from '../tools/tool.ts';
import { toClientFailure } from './client-failure.ts';
import { toClientPath } from './client-path.ts';
import { openTerminal } from './client-terminal.ts';
import type { ClientTerminal, TerminalHome } from './client-terminal.ts';

/** Runs commands in terminals of the client, where the user sees them. Each is released in any case. */
export function createTerminalRunner(workplace: Workplace, home: TerminalHome): CommandRunner {
  const { environment, limits } = workplace;
  return {
    run: async (line, { cwd, signal, show }) => {
      try {
        // No variables: the client's own environment holds, and nothing of ours gets there.
        const command = {
          ...environment.toShellCommand(line),
          cwd: toClientPath(cwd, workplace),
          outputByteLimit: limits.outputBytes,
        };
        await using terminal = await openTerminal(command, home, signal);
        await show([terminal.content]);
        const end = await waitForEnd(terminal, { clock: environment.clock, limits, signal });
        if (end.ended !== undefined) await terminal.kill();
        const output = end.ended === undefined ? await terminal.output(signal) : await terminal.lastOutput();
        return { result: toResult(end, output, limits.outputBytes), terminal: terminal.content };
      } catch (error) {
        // Before the client had made the terminal, or read its output.
        if (signal.aborted) return { result: abortedResult };
        throw toClientFailure('run', error);
      }
    },
  };
}

const abortedResult: CommandResult = {
  status: { exitCode: null, signal: null },
  output: '',
  truncated: false,
  ended: 'aborted',
};

/** Why waiting for a command ended: it exited, or was stopped. */
type End =
  | { readonly ended?: undefined; readonly status: TerminalExitStatus }
  | { readonly ended: 'aborted' | 'idle' };

interface Watch {
  readonly clock: Clock;
  readonly limits: AgentLimits;
  readonly signal: AbortSignal;
}

async function waitForEnd(terminal: ClientTerminal, watch: Watch): Promise<End> {
  const { signal } = watch;
  const over = new AbortController();
  const watching = AbortSignal.any([signal, over.signal]);
  try {
    return await Promise.race([
      terminal.waitForExit(watching).then((status): End => ({ status })),
      waitForSilence(terminal, { ...watch, signal: watching }).then((): End => ({ ended: 'idle' })),
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
    return { ended: 'aborted' };
  } finally {
    over.abort();
  }
}

/** The protocol has no notification of output, so it is polled. */
async function waitForSilence(terminal: ClientTerminal, { clock, limits, signal }: Watch): Promise<void> {
  const pollMs = Math.min(limits.terminalPollMs, limits.commandIdleMs);
  let last = '';
  for (let silentMs = 0; silentMs < limits.commandIdleMs; silentMs += pollMs) {
    await clock.sleep(pollMs, signal);
    const { output } = await terminal.output(signal);
    if (output !== last) silentMs = -pollMs;
    last = output;
  }
}

function toResult(
  end: End,
  { output, truncated, exitStatus }: TerminalOutputResponse,
  limit: number,
): CommandResult {
  const said = end.ended === undefined ? end.status : undefined;
  const exitCode = said?.exitCode ?? exitStatus?.exitCode ?? null;
  const signal = said?.signal ?? exitStatus?.signal ?? null;
  // Also of a client that keeps more than it was asked to.
  const kept = lastCharacters(output, limit);
  const isCut = truncated || kept.length < output.length;
  return {
    status: { exitCode, signal },
    output: isCut ? `[The beginning is omitted]\n${kept}` : kept,
    truncated: isCut,
    ...(end.ended !== undefined && { ended: end.ended }),
  };
}
