import type { ToolCallUpdate } from '@parley/acp';
import type { TerminalEndEvent, TerminalStartEvent } from '../event/resource-event.ts';
import { agentTerminalNews } from '../terminal/agent-terminal.ts';
import { entries, get, set } from './table.ts';
import type { TerminalView, View } from './view.ts';

/** How much of a command's output is shown, from its end; the event log has more. */
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

/**
 * The view after a tool call told of a command that the agent runs itself. What is told after the end of one, or after
 * nobody was left who could see it, is told again: a history.
 */
export function withAgentTerminal(view: View, call: ToolCallUpdate): View {
  const news = agentTerminalNews(call);
  if (news === undefined) return isFinished(call) ? endWithCall(view, call.toolCallId) : view;
  const { terminalId, cwd, output = '', end } = news;
  const known = get(view.terminals, terminalId);
  // What the client runs itself, it knows better.
  if (known !== undefined && known.toolCallId !== call.toolCallId) return view;
  const begun: TerminalView =
    known === undefined || (known.state !== 'running' && (output !== '' || cwd !== undefined))
      ? {
          terminalId,
          toolCallId: call.toolCallId,
          command: commandOf(call),
          cwd: cwd ?? known?.cwd ?? view.cwd ?? '',
          state: 'running',
          output: '',
          truncated: false,
        }
      : known;
  const written = begun.output + output;
  return withTerminal(view, {
    ...begun,
    ...((end !== undefined || isFinished(call)) && { state: 'ended', ...end }),
    output: written.slice(-outputLimit),
    truncated: begun.truncated || written.length > outputLimit,
  });
}

/** Not each command has an end of its own: one that only reads is over when its call is. It has the id of the call. */
function endWithCall(view: View, toolCallId: string): View {
  const terminal = get(view.terminals, toolCallId);
  if (terminal?.toolCallId !== toolCallId || terminal.state !== 'running') return view;
  return withTerminal(view, { ...terminal, state: 'ended' });
}

function isFinished({ status }: ToolCallUpdate): boolean {
  return status === 'completed' || status === 'failed';
}

/** A command in words: as it is given to the tool, else as the call is called. */
function commandOf({ title, rawInput }: ToolCallUpdate): string {
  const given: unknown =
    typeof rawInput === 'object' && rawInput !== null ? Reflect.get(rawInput, 'command') : undefined;
  return typeof given === 'string' ? given : (title ?? '');
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
