import type { ContentBlock } from '@parley/acp';
import {
  get,
  type AgentEndItem,
  type Item,
  type RecoveryItem,
  type Tokens,
  type ToolCallItem,
  type TurnState,
  values,
  type SessionState,
} from '@parley/host/state';
import { toPlainLine, toPlainText } from '../../output/plain.ts';
import type { Style } from '../../output/style.ts';
import { excerpt, toResultLines, toToolTitle } from '../../output/tool-call-text.ts';
import { toOptionText } from '../../question/option-label.ts';
import { shortId } from '../find-session.ts';
import { fromHome, toLocalTime, type SessionFacts } from '../session-facts.ts';

/** How many lines of a command's output are shown. */
const maxOutputLines = 12;

/** A session as text for a terminal, piece by piece. */
export function* conversationText(
  facts: SessionFacts,
  view: SessionState,
  style: Style,
): Generator<string, void, undefined> {
  yield headOf(facts, style);
  const turns = new Map([...values(view.turns)].map((turn) => [turn.turnId, turn]));
  let turnId: string | undefined;
  for (const item of values(view.items)) {
    if (item.turnId !== turnId) yield endOf(turns.get(turnId ?? ''), style);
    turnId = item.turnId;
    const text = textOf(item, view, style);
    if (text !== '') yield `\n${text}\n`;
  }
  yield endOf(turns.get(turnId ?? ''), style);
  yield footOf(view, style);
}

function headOf({ id, agent, cwd, title, state, turns, startedAt }: SessionFacts, style: Style): string {
  const facts = [
    shortId(id),
    toPlainLine(agent),
    toPlainLine(fromHome(cwd), 1000),
    toLocalTime(Date.parse(startedAt)),
    `${String(turns)} ${turns === 1 ? 'turn' : 'turns'}`,
    state,
  ];
  return `${style.bold(toPlainLine(title ?? 'A session without a prompt'))}\n${style.dim(facts.join(' · '))}\n`;
}

function textOf(item: Item, view: SessionState, style: Style): string {
  switch (item.kind) {
    case 'message': {
      const text = toPlainText(item.blocks.map(toWords).join('')).trimEnd();
      const cut = item.cutPieces === undefined ? '' : `\n${style.dim('(more of it is in the event log)')}`;
      if (item.role === 'user') return eachLine(text, (line) => style.bold(`> ${line}`)) + cut;
      return (item.role === 'thought' ? eachLine(text, style.dim) : text) + cut;
    }
    case 'tool-call':
      return callText(item, view, style);
    case 'question': {
      const answer = item.answer === undefined ? 'open' : `${item.answer.action}, by ${item.answer.by}`;
      return `? ${toPlainLine(item.message)}: ${toPlainLine(answer)}`;
    }
    case 'notice':
      return style.dim(toPlainLine(`${item.notice.title} ${item.notice.description ?? ''}`, 1000));
    case 'compaction':
      return style.dim(`(the conversation was compacted: ${item.status})`);
    case 'file-write':
      return `• ${item.isNew ? 'Made' : 'Wrote'} ${toPlainLine(fromHome(item.path), 1000)}`;
    case 'diagnostic':
      return item.level === 'info' ? '' : style.dim(`${item.code}: ${toPlainLine(item.message, 1000)}`);
    case 'interruption':
      return style.red('(interrupted: what was running then is of unknown outcome)');
    case 'agent-end':
      return style.red(`(the agent ended by itself${howItEnded(item)})`);
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
  resume: 'the agent was started again, and goes on with the session',
  load: 'the agent was started again, and loaded the session',
  new: 'the agent could not go on with the session: it began a new one, and knows nothing of what was said before',
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
