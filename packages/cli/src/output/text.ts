import type { Plan, ToolCallUpdate } from '@parley/acp';
import {
  createReportedOutputs,
  type PermissionEvent,
  type PermissionRequestEvent,
  type UpdateEvent,
} from '@parley/host';
import { summaryText } from '../changes/changes-text.ts';
import type { Output, ShownEvent, ShownPrompt } from './output.ts';
import { toPlainLine, toPlainText } from './plain.ts';
import type { Style } from './style.ts';
import { SubagentLines } from './subagent-lines.ts';
import { toResultLines, toToolTitle } from './tool-call-text.ts';
import {
  planMark,
  toAnswer,
  toCompactionState,
  toNotice,
  toPromptLines,
  toSteeringRemark,
  toWords,
} from './update-text.ts';
import type { Writer } from './writer.ts';

/** Remembered tool calls, running and ended; the oldest are dropped first. */
const maxCalls = 1024;

/** Shows the agent's messages in another form than as text. */
export interface MessageView {
  /** Takes text that is safe to show. */
  add(text: string): void;
  /** Finishes the line; the message may continue. */
  flush(): void;
  /** Finishes the message. */
  end(): void;
}

/** Shows what sub-agents do. */
export interface SubagentView {
  /** The lines about an update, if there are any. */
  take(event: UpdateEvent): string | undefined;
}

/** Where the text goes, and how it looks. */
export interface TextOptions {
  readonly writer: Writer;
  readonly style: Style;
  /** The output goes to the screen on which the user was asked: what was shown there is not repeated. */
  readonly isScreen: boolean;
  /** What goes to standard error appears between the lines of the output. */
  readonly isShared: boolean;
  /** Where warnings go: standard error. */
  readonly warn: (message: string) => void;
  /** Called for each call that ended, with its whole result: only the beginning or the end of it may have been shown. */
  readonly onEnded?: (call: ToolCallUpdate) => void;
  /** @default messages are written as they come */
  readonly messages?: MessageView;
  /** What is shown of sub-agents among the lines. @default a line on standard error when one is announced, and each time it becomes idle */
  readonly subagents?: SubagentView;
}

/** Text for a user: the agent's words as they come, and a few lines for each tool call. */
export function createTextOutput(shownAt: TextOptions): Output {
  const { writer, style, isScreen, isShared, warn, onEnded, messages, subagents: folds } = shownAt;
  const calls = new Map<string, ToolCallUpdate>();
  /** The titles of open calls, as they stand above. */
  const titles = new Map<string, string>();
  /** A call that ended may still be updated; its end is shown once. */
  const ended = new Set<string>();
  const outputs = createReportedOutputs();
  const subagents = folds ?? new SubagentLines();
  /** The calls whose changes the user has seen in the question. */
  const seen = new Set<string>();
  let plan: readonly string[] = [];
  let messageId: string | undefined;
  /** What the end of the written text belongs to. */
  let block: 'start' | 'message' | 'thought' | 'lines' = 'start';
  let atLineStart = true;
  /** The tool call whose line is not finished: its end is written on the same line if nothing was written in between. */
  let unfinished: string | undefined;

  function put(text: string): void {
    writer.write(text);
    atLineStart = text.endsWith('\n');
  }

  /** Begins another block: on a line of its own, with an empty line between words and lines. */
  function begin(next: 'message' | 'thought' | 'lines'): void {
    if (block === next && next !== 'lines') return;
    unfinished = undefined;
    if (block === 'message') endMessage();
    if (!atLineStart) put('\n');
    if (block !== 'start' && block !== next) put('\n');
    block = next;
  }

  function endMessage(): void {
    if (messages === undefined) return;
    messages.end();
    atLineStart = true;
  }

  function words(next: 'message' | 'thought', text: string): void {
    // Some agents begin what they think with empty lines; between blocks there is one already.
    const plain = block === next ? toPlainText(text) : toPlainText(text).replace(/^\n+/u, '');
    if (plain === '') return;
    begin(next);
    if (next === 'message' && messages !== undefined) messages.add(plain);
    else put(next === 'thought' ? plain.split('\n').map(style.dim).join('\n') : plain);
  }

  /** Separates two consecutive messages if the agent marks them as two. */
  function nextMessage(id: string | undefined): void {
    messageId = id;
    if (block !== 'message') return;
    endMessage();
    put(atLineStart ? '\n' : '\n\n');
  }

  function line(text: string): void {
    begin('lines');
    put(`${text}\n`);
  }

  function startCall(call: ToolCallUpdate): void {
    const title = toToolTitle(call);
    begin('lines');
    put(`• ${title}`);
    unfinished = call.toolCallId;
    titles.set(call.toolCallId, title);
  }

  /** Whether what stands above says what the call does, as far as it is known now. */
  function isNamed(call: ToolCallUpdate): boolean {
    return titles.get(call.toolCallId) === toToolTitle(call);
  }

  function endCall(call: ToolCallUpdate): void {
    if (unfinished !== call.toolCallId || !isNamed(call)) startCall(call);
    unfinished = undefined;
    titles.delete(call.toolCallId);
    ended.add(call.toolCallId);
    dropOldest(ended);
    put(call.status === 'failed' ? ` … ${style.red('failed')}\n` : ` … ${style.green('done')}\n`);
    const isSeen = seen.delete(call.toolCallId) && call.status === 'completed';
    const whole = { ...call, content: outputs.takeContent(call) };
    const content = whole.content.filter(({ type }) => !(isSeen && type === 'diff'));
    for (const result of toResultLines({ ...whole, content }, style)) put(`    ${result}\n`);
    onEnded?.(whole);
  }

  /** What is known of a call by now. */
  function know(change: ToolCallUpdate): ToolCallUpdate {
    const known = calls.get(change.toolCallId);
    const call = known === undefined ? change : { ...known, ...change };
    calls.set(call.toolCallId, call);
    for (const id of dropOldest(calls)) titles.delete(id);
    return call;
  }

  function toolCall(change: ToolCallUpdate, isNew: boolean): void {
    if (isNew) ended.delete(change.toolCallId);
    if (ended.has(change.toolCallId)) return;
    outputs.note(change);
    const call = know(change);
    if (call.status === 'completed' || call.status === 'failed') {
      calls.delete(call.toolCallId);
      endCall(call);
      return;
    }
    // While its input is still being written, its title is only that of the tool.
    if (isNew && isUnwritten(call)) return;
    if (!titles.has(call.toolCallId)) startCall(call);
  }

  /** A call need not have been announced before it is asked about. */
  function permissionRequest({ toolCall: asked }: PermissionRequestEvent): void {
    ended.delete(asked.toolCallId);
    const call = know(asked);
    if (!isNamed(call)) startCall(call);
  }

  function showPlan(entries: Plan['entries']): void {
    const shown = entries.map(({ status, content }) => `  ${planMark(status)} ${toPlainLine(content)}`);
    const changed = shown.filter((entry) => !plan.includes(entry));
    plan = shown;
    if (changed.length > 0) line(['Plan:', ...changed].join('\n'));
  }

  function update({ view, replay }: UpdateEvent): void {
    if (replay) return;
    switch (view.sessionUpdate) {
      case 'agent_message_chunk':
        if (view.messageId !== messageId) nextMessage(view.messageId);
        words('message', toWords(view.content));
        break;
      case 'agent_thought_chunk':
        words('thought', toWords(view.content));
        break;
      case 'tool_call':
        toolCall(view, true);
        break;
      case 'tool_call_update':
        toolCall(view, false);
        break;
      case 'plan':
        showPlan(view.entries);
        break;
      case 'current_mode_update':
        line(style.dim(`mode: ${toPlainLine(view.currentModeId)}`));
        break;
      case 'compaction_update':
        line(style.dim(`compaction of the conversation: ${toPlainLine(toCompactionState(view))}`));
        break;
      case 'notice':
        line(style.dim(toNotice(view)));
        break;
      default:
        // The others say nothing about this turn that a user would read here.
        break;
    }
  }

  function permission({ toolCallId, options, decision, by, reason, remembered }: PermissionEvent): void {
    const kind = options.find(({ optionId }) => optionId === decision)?.kind;
    const isAllowed = kind === 'allow_once' || kind === 'allow_always';
    const call = calls.get(toolCallId);
    if (isScreen && by === 'person' && remembered !== true) {
      seen.add(toolCallId);
      if (isAllowed && call !== undefined) startCall(call);
      return;
    }
    const title = call === undefined || unfinished === toolCallId ? '' : `${toToolTitle(call)}: `;
    // Only the agent knows the effect of an answer of an unknown kind.
    const isUnknown = kind === 'unknown';
    const outcome = isUnknown ? 'answered' : isAllowed ? style.green('allowed') : style.red('not allowed');
    line(`  ${title}${outcome}, ${toPlainLine(reason)}`);
  }

  /** Of another client. */
  function prompt({ content, client, token }: Omit<ShownPrompt, 'type'>, remark?: string): void {
    const from = [token, client?.name, remark].filter((name) => name !== undefined).join(', ');
    begin('lines');
    put(toPromptLines(content.map(toWords).join(''), style));
    if (from !== '') put(`${style.dim(`(${toPlainLine(from)})`)}\n`);
  }

  function diagnostic(message: string): void {
    if (!isShared) {
      warn(message);
      return;
    }
    // What is written here ends its line first.
    void makeRoom().then(() => {
      warn(message);
    });
  }

  async function makeRoom(): Promise<void> {
    unfinished = undefined;
    messages?.flush();
    if (!atLineStart) put('\n');
    await writer.flush();
  }

  function show(event: ShownEvent): void {
    if (event.type === 'update') {
      const about = subagents.take(event);
      if (about !== undefined && folds === undefined) diagnostic(about);
      else if (about !== undefined) line(about.split('\n').map(style.dim).join('\n'));
    }
    // What a sub-agent says and does is in its own conversation.
    if ('subagent' in event) return;
    switch (event.type) {
      case 'update':
        update(event);
        break;
      case 'permission-request':
        permissionRequest(event);
        break;
      case 'permission':
        permission(event);
        break;
      case 'elicitation':
        // The question and its answer are on the screen of the user who was asked there.
        if (isScreen && event.by === 'person' && event.client === undefined) break;
        line(`  question: ${toPlainLine(event.message)}: ${toAnswer(event)}`);
        break;
      case 'changes':
        // A script that reads the text wants what the agent said.
        if (isScreen) line(style.dim(`Changed ${summaryText(event)}`));
        break;
      case 'network':
        // The hosts of each turn are for scripts; what was blocked is shown when it happens.
        break;
      case 'prompt':
        prompt(event);
        break;
      case 'steering':
        if (event.outcome !== 'queued') prompt(event, toSteeringRemark(event.outcome));
        break;
      case 'diagnostic':
        // Why the run ended is its last line.
        if (event.level !== 'info' && event.code !== 'turn-timeout') {
          diagnostic(`${event.code}: ${event.message}`);
        }
        break;
    }
  }

  return {
    session() {
      // The words of the agent come first.
    },
    event(event) {
      show(event);
      return writer.ready();
    },
    makeRoom,
    stop: makeRoom,
  };
}

/** Forgets the oldest entries over the limit, and gives their keys. */
function dropOldest(entries: Map<string, unknown> | Set<string>): string[] {
  if (entries.size <= maxCalls) return [];
  const surplus = [...entries.keys()].slice(0, entries.size - maxCalls);
  for (const key of surplus) entries.delete(key);
  return surplus;
}

/** Whether a call was announced by its tool alone: nothing of its input is there yet. */
function isUnwritten({ status, rawInput, content = [], locations = [] }: ToolCallUpdate): boolean {
  if (status !== 'pending' || content.length > 0 || locations.length > 0) return false;
  return typeof rawInput === 'object' && rawInput !== null && Object.keys(rawInput).length === 0;
}
