import type { ToolCallUpdate } from '@parley/acp';
import type { EventStamp } from '../event/logged-event.ts';
import type { TerminalEndEvent, TerminalStartEvent } from '../event/resource-event.ts';
import { isClientCall } from '../permission/client-call.ts';
import { agentTerminalReport } from '../services/terminal/agent-terminal.ts';
import { withState } from './copy-state.ts';
import type { TerminalState, SessionState } from './session-state.ts';
import { entries, get, set } from './table.ts';
import { placeOf } from './transcript/add-item.ts';
import { changeToolCall, withClientCall } from './transcript/tool-call.ts';

/** Displayed end of a command's output; the event log contains more. */
const outputLimit = 64 * 1024;

/** The state when a command was started. */
export function startTerminal(
  state: SessionState,
  event: TerminalStartEvent,
  stamp: EventStamp,
): SessionState {
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
  const content = [{ type: 'terminal', terminalId }] as const;
  return withClientCall(withTerminal(state, started), { toolCallId, status: 'in_progress', content }, stamp);
}

/** The state in which the terminals that a call of the agent shows are shown there, and no longer by the client's call. */
export function withTerminalsMoved(state: SessionState, { content = [] }: ToolCallUpdate): SessionState {
  return content.reduce((moved, piece) => {
    const terminal = piece.type === 'terminal' ? get(moved.terminals, piece.terminalId) : undefined;
    const index = terminal && clientCallOf(moved, terminal.toolCallId);
    if (index === undefined) return moved;
    return changeToolCall(moved, index, (item) => ({ ...item, call: { ...item.call, content: [] } }));
  }, state);
}

function clientCallOf(state: SessionState, toolCallId: string): number | undefined {
  return isClientCall(toolCallId) ? placeOf(state, 'tool-call', toolCallId) : undefined;
}

/** The state when a command has ended. */
export function endTerminal(state: SessionState, event: TerminalEndEvent, stamp: EventStamp): SessionState {
  const { terminalId, output, truncated, exitCode, signal } = event;
  const terminal = get(state.terminals, terminalId);
  if (terminal === undefined) return state;
  const ended = withTerminal(state, {
    ...terminal,
    state: 'ended',
    output: output.slice(-outputLimit),
    truncated: truncated || output.length > outputLimit,
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
  });
  const { toolCallId } = terminal;
  return withClientCall(ended, { toolCallId, status: exitCode === 0 ? 'completed' : 'failed' }, stamp);
}

/**
 * The state after a tool call reported a command that the agent runs itself. A report after its end, or after the agent
 * ended, is a replay.
 */
export function withAgentTerminal(state: SessionState, call: ToolCallUpdate): SessionState {
  const report = agentTerminalReport(call);
  if (report === undefined) return isFinished(call) ? endWithCall(state, call.toolCallId) : state;
  const { terminalId, cwd, output = '', end } = report;
  const known = get(state.terminals, terminalId);
  // What the client runs itself, it knows better.
  if (known !== undefined && known.toolCallId !== call.toolCallId) return state;
  const begun: TerminalState =
    known === undefined || (known.state !== 'running' && (output !== '' || cwd !== undefined))
      ? {
          terminalId,
          toolCallId: call.toolCallId,
          command: commandOf(call),
          cwd: cwd ?? known?.cwd ?? state.cwd ?? '',
          state: 'running',
          output: '',
          truncated: false,
        }
      : known;
  const written = begun.output + output;
  return withTerminal(state, {
    ...begun,
    ...((end !== undefined || isFinished(call)) && { state: 'ended', ...end }),
    output: written.slice(-outputLimit),
    truncated: begun.truncated || written.length > outputLimit,
  });
}

/**
 * Ends the terminal of a finished call: not every command has an end event of its own. Its terminal has the id of the
 * call.
 */
function endWithCall(state: SessionState, toolCallId: string): SessionState {
  const terminal = get(state.terminals, toolCallId);
  if (terminal?.toolCallId !== toolCallId || terminal.state !== 'running') return state;
  return withTerminal(state, { ...terminal, state: 'ended' });
}

function isFinished({ status }: ToolCallUpdate): boolean {
  return status === 'completed' || status === 'failed';
}

/** The command as text: from the tool's input, else the title of the call. */
function commandOf({ title, rawInput }: ToolCallUpdate): string {
  const given: unknown =
    typeof rawInput === 'object' && rawInput !== null ? Reflect.get(rawInput, 'command') : undefined;
  return typeof given === 'string' ? given : (title ?? '');
}

/** The state when the end of the commands can no longer be observed. */
export function loseTerminals(state: SessionState): SessionState {
  let lost = state;
  for (const { value } of entries(state.terminals)) {
    if (value.state === 'running') lost = withTerminal(lost, { ...value, state: 'unknown' });
  }
  return lost;
}

function withTerminal(state: SessionState, terminal: TerminalState): SessionState {
  return withState(state, { terminals: set(state.terminals, terminal.terminalId, terminal) });
}
