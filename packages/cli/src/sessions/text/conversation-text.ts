import type { ContentBlock } from '@parley/acp';
import {
  get,
  subagentOf,
  type AgentEndItem,
  type Item,
  type RecoveryItem,
  type Tokens,
  type ToolCallItem,
  type TurnState,
  values,
  type SessionState,
  type SubagentState,
} from '@parley/host/state';
import { fromHome } from '../../output/from-home.ts';
import { toPlainLine, toPlainText } from '../../output/plain.ts';
import type { Style } from '../../output/style.ts';
import { toLocalTime } from '../../output/time-text.ts';
import { excerpt, toResultLines, toToolTitle } from '../../output/tool-call-text.ts';
import { toAnswer, toNotice, toSteeringRemark } from '../../output/update-text.ts';
import { toOptionText } from '../../question/option-label.ts';
import { shortId } from '../find-session.ts';
import { type SessionSummary } from '../session-summary.ts';
import { toParticipants, toSubagentLine } from './subagent-text.ts';

/** Displayed lines of a command's output. */
const maxOutputLines = 12;

/** A session as text for a terminal, piece by piece. */
export function* conversationText(
  facts: SessionSummary,
  view: SessionState,
  options: Omit<TurnsTextOptions, 'last'>,
): Generator<string, void, undefined> {
  const { style } = options;
  yield headOf(facts, style);
  yield* turnsText(view, options);
  yield footOf(view, style);
}

/** Selects the displayed turns and their format. */
export interface TurnsTextOptions {
  readonly style: Style;
  /** How many of the last turns. @default all */
  readonly last?: number;
  /** Formats a message of the agent. @default unchanged */
  readonly layOut?: (message: string) => string;
}

/** The turns of a session as text, piece by piece. */
export function* turnsText(
  view: SessionState,
  options: TurnsTextOptions,
): Generator<string, void, undefined> {
  const { style, last = Infinity } = options;
  const all = [...values(view.turns)];
  const turns = new Map(all.map((turn) => [turn.turnId, turn]));
  const skipped = new Set(all.slice(0, Math.max(0, all.length - last)).map((turn) => turn.turnId));
  let turnId: string | undefined;
  for (const item of values(view.items)) {
    if (skipped.size > 0 && (item.turnId === undefined || skipped.has(item.turnId))) continue;
    if (item.turnId !== turnId) yield endOf(turns.get(turnId ?? ''), style);
    turnId = item.turnId;
    const text = textOf(item, view, { ...options, root: view });
    if (text !== '') yield `\n${text}\n`;
  }
  yield endOf(turns.get(turnId ?? ''), style);
}

function headOf(
  { id, agent, cwd, sandbox, title, state, turns, startedAt }: SessionSummary,
  style: Style,
): string {
  const facts = [
    shortId(id),
    toPlainLine(agent),
    toPlainLine(fromHome(cwd), 1000),
    toLocalTime(Date.parse(startedAt)),
    `${String(turns)} ${turns === 1 ? 'turn' : 'turns'}`,
    state,
    ...(sandbox === undefined
      ? []
      : [
          `sandbox: ${toPlainLine(sandbox.mode)} (${toPlainLine(sandbox.engine)})${sandbox.autoApprove === true ? ', commands approved' : ''}`,
        ]),
  ];
  return `${style.bold(toPlainLine(title ?? 'A session without a prompt'))}\n${style.dim(facts.join(' · '))}\n`;
}

/** The texts of one conversation: that of the session, or of a sub-agent of it. */
interface ConversationOptions extends TurnsTextOptions {
  /** The state of the session, which has all sub-agents. */
  readonly root: SessionState;
}

/** A sub-agent and its conversation, where it was announced. */
function subagentText(sessionId: string, options: ConversationOptions): string {
  const subagent = subagentOf(options.root, sessionId);
  if (subagent === undefined) return '';
  const body = subagentBody(subagent, options);
  const head = `◦ ${toSubagentLine(subagent)}`;
  return body === '' ? head : `${head}\n${body}`;
}

/** The conversation of a sub-agent, indented. */
export function subagentBody({ conversation }: SubagentState, options: ConversationOptions): string {
  const texts = Array.from(values(conversation.items), (item) => textOf(item, conversation, options));
  const body = texts.filter((text) => text !== '').join('\n\n');
  return eachLine(body, (line) => (line === '' ? '' : `    ${line}`));
}

function textOf(item: Item, view: SessionState, options: ConversationOptions): string {
  const { style, layOut, root } = options;
  switch (item.kind) {
    case 'message': {
      const { steering } = item;
      // The turn of its own has the same words.
      if (steering === 'queued') return '';
      const text = toPlainText(item.blocks.map(toWords).join('')).trimEnd();
      const cut = item.cutPieces === undefined ? '' : `\n${style.dim('(more of it is in the event log)')}`;
      if (item.role === 'user') {
        const remark = steering === undefined ? '' : `\n${style.dim(`(${toSteeringRemark(steering)})`)}`;
        return eachLine(text, (line) => style.bold(`> ${line}`)) + cut + remark;
      }
      if (item.role === 'thought') return eachLine(text, style.dim) + cut;
      return (layOut === undefined ? text : layOut(text)) + cut;
    }
    case 'tool-call':
      return callText(item, view, style);
    case 'question': {
      const answer = item.answer === undefined ? 'open' : toAnswer(item.answer);
      return `? ${toPlainLine(item.message)}: ${answer}`;
    }
    case 'notice':
      return style.dim(toNotice(item.notice));
    case 'compaction':
      return style.dim(`(the conversation was compacted: ${item.status})`);
    case 'subagent':
      return subagentText(item.sessionId, options);
    case 'session-message': {
      const text = toPlainText(item.blocks.map(toWords).join('')).trimEnd();
      return `${style.dim(`${toParticipants(item, root)}:`)}\n${eachLine(text, style.dim)}`;
    }
    case 'file-write':
      return `• ${item.isNew ? 'Made' : 'Wrote'} ${toPlainLine(fromHome(item.path), 1000)}`;
    case 'diagnostic':
      return item.level === 'info' ? '' : style.dim(`${item.code}: ${toPlainLine(item.message, 1000)}`);
    case 'interruption':
      return style.red('(interrupted: the outcome of running actions is unknown)');
    case 'agent-end':
      return style.red(`(the agent exited${howItEnded(item)})`);
    case 'recovery':
      return style.dim(`(${recoveries[item.by]})`);
    case 'omission':
      return style.dim(`(not stored: ${toPlainLine(item.of)})`);
    case 'unknown':
      return style.dim(toPlainLine(JSON.stringify(item.raw)));
  }
}

function howItEnded({ exitCode, signal }: AgentEndItem): string {
  if (signal !== undefined) return `: ${toPlainLine(signal)}`;
  return exitCode === undefined ? '' : `: status ${String(exitCode)}`;
}

const recoveries: Readonly<Record<RecoveryItem['by'], string>> = {
  resume: 'the agent was restarted and resumed the session',
  load: 'the agent was restarted and loaded the session',
  new: 'the agent was restarted, but could not resume the session; it started a new one without the earlier conversation',
};

function callText(item: ToolCallItem, view: SessionState, style: Style): string {
  const { call, permission, outcome } = item;
  const lines = [`• ${toToolTitle(call)} … ${endOfCall(call.status ?? undefined, outcome, style)}`];
  if (permission?.answer !== undefined) {
    const { decision, by, reason } = permission.answer;
    const option = permission.options.find(({ optionId }) => optionId === decision);
    const chosen = option === undefined ? toPlainLine(decision) : toOptionText(option);
    lines.push(`    ${chosen}, by ${toPlainLine(by)}: ${toPlainLine(reason)}`);
  }
  for (const line of toResultLines(call, style)) lines.push(`    ${line}`);
  for (const content of call.content ?? []) {
    if (content.type !== 'terminal') continue;
    const terminal = get(view.terminals, content.terminalId);
    if (terminal === undefined) continue;
    const output = toPlainText(terminal.output).trimEnd();
    if (output === '') continue;
    for (const line of excerpt(output.split('\n'), maxOutputLines, true)) lines.push(`    ${line}`);
  }
  return lines.join('\n');
}

function endOfCall(status: string | undefined, outcome: string | undefined, style: Style): string {
  if (status === 'completed') return style.green('done');
  if (status === 'failed') return style.red('failed');
  return outcome === undefined ? 'running' : style.red('unknown outcome');
}

/** How a turn ended, where that is not the usual way. */
function endOf(turn: TurnState | undefined, style: Style): string {
  if (turn?.state !== 'ended' || turn.stopReason === 'end_turn') return '';
  const why = turn.error === undefined ? (turn.stopReason ?? '') : `failed: ${turn.error.message}`;
  return `\n${style.dim(`(${toPlainLine(why)})`)}\n`;
}

/** The sum where the agent reports one; none is made up. */
function toTokensText({ totalTokens, inputTokens, outputTokens }: Tokens): readonly string[] {
  if (totalTokens !== undefined) return [`${totalTokens.toLocaleString('en')} tokens`];
  return [
    ...(inputTokens === undefined ? [] : [`${inputTokens.toLocaleString('en')} tokens in`]),
    ...(outputTokens === undefined ? [] : [`${outputTokens.toLocaleString('en')} tokens out`]),
  ];
}

function footOf({ plan, usage }: SessionState, style: Style): string {
  const lines: string[] = [];
  if (plan !== undefined && plan.length > 0) {
    lines.push(
      '',
      'Plan:',
      ...plan.map(({ status, content }) => `  [${markOf(status)}] ${toPlainLine(content)}`),
    );
  }
  const { context, cost, tokens } = usage;
  const used = [
    ...(tokens === undefined ? [] : toTokensText(tokens)),
    ...(cost === undefined ? [] : [`${String(cost.amount)} ${toPlainLine(cost.currency)}`]),
    ...(context === undefined
      ? []
      : [`context ${context.used.toLocaleString('en')} of ${context.size.toLocaleString('en')}`]),
  ];
  if (used.length > 0) lines.push('', style.dim(used.join(' · ')));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function markOf(status: string): string {
  if (status === 'completed') return 'x';
  return status === 'in_progress' ? '>' : ' ';
}

function toWords(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[${block.uri}]`;
    case 'resource':
      return `[${block.resource.uri}]`;
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}]`;
    case 'unknown':
      return '';
  }
}

function eachLine(text: string, mark: (line: string) => string): string {
  return text.split('\n').map(mark).join('\n');
}
