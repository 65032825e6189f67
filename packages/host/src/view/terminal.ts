import type { TerminalEndEvent, TerminalStartEvent } from '../event/resource-event.ts';
import { entries, get, set } from './table.ts';
import type { TerminalView, View } from './view.ts';

/** How much of a command's output is shown, from its end; the journal has more. */
const outputLimit = 64 * 1024;

/** The view when a command was started. */
export function startTerminal(view: View, event: TerminalStartEvent): View {
  const { terminalId, toolCallId, command, cwd } = event;
  const started = {
    terminalId,
    toolCallId,
    command,
    cwd,
    state: 'running',
    output: '',
    truncated: false,
  } as const;
  return withTerminal(view, started);
}

/** The view when a command has ended. */
export function endTerminal(view: View, event: TerminalEndEvent): View {
  const { terminalId, output, truncated, exitCode, signal } = event;
  const terminal = get(view.terminals, terminalId);
  if (terminal === undefined) return view;
  return withTerminal(view, {
    ...terminal,
    state: 'ended',
    output: output.slice(-outputLimit),
    truncated: truncated || output.length > outputLimit,
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
  });
}

/** The view when nobody is left who could see the end of the commands. */
export function loseTerminals(view: View): View {
  let lost = view;
  for (const { value } of entries(view.terminals)) {
    if (value.state === 'running') lost = withTerminal(lost, { ...value, state: 'unknown' });
  }
  return lost;
}

function withTerminal(view: View, terminal: TerminalView): View {
  return { ...view, terminals: set(view.terminals, terminal.terminalId, terminal) };
}
