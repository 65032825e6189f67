import type { ContentBlock, ToolCallContent } from '@parley/acp';
import {
  get,
  subagentOf,
  values,
  type Item,
  type ToolCallItem,
  type TurnState,
  type SessionState,
} from '@parley/host/state';
import { diffLines } from '../../output/diff.ts';
import { fromHome } from '../../output/from-home.ts';
import { toPlainText } from '../../output/plain.ts';
import { toLocalTime } from '../../output/time-text.ts';
import { excerpt, toToolTitle } from '../../output/tool-call-text.ts';
import { toAnswer, toSteeringRemark } from '../../output/update-text.ts';
import { toOptionText } from '../../question/option-label.ts';
import { type SessionSummary } from '../session-summary.ts';
import { toSafeMarkdown } from './safe-markdown.ts';
import { toParticipants, toSubagentLine } from './subagent-text.ts';

/** Displayed lines of a result or change. */
const maxLines = 200;

/** A session as Markdown; `clean` redacts the secrets in a text. */
export function toMarkdown(
  facts: SessionSummary,
  view: SessionState,
  clean: (text: string) => string,
): string {
  const page = new Page(view, view, (text) => clean(toPlainText(text)));
  const pieces = [page.head(facts)];
  const turns = new Map([...values(view.turns)].map((turn) => [turn.turnId, turn]));
  let turnId: string | undefined;
  for (const item of values(view.items)) {
    if (item.turnId !== turnId) pieces.push(page.end(turns.get(turnId ?? '')));
    turnId = item.turnId;
    pieces.push(page.item(item));
  }
  pieces.push(page.end(turns.get(turnId ?? '')), page.plan());
  return `${pieces.filter((piece) => piece !== '').join('\n\n')}\n`;
}

/** The pieces of the page, each a block of its own. */
class Page {
  readonly #view: SessionState;
  /** The state of the session, which has all sub-agents. */
  readonly #root: SessionState;
  readonly #clean: (text: string) => string;

  /** @param view The session, or the conversation of a sub-agent of it. */
  constructor(view: SessionState, root: SessionState, clean: (text: string) => string) {
    this.#view = view;
    this.#root = root;
    this.#clean = clean;
  }

  head({ agent, cwd, title, startedAt, turns }: SessionSummary): string {
    const { info } = this.#view.agent ?? {};
    const name = info === undefined ? agent : `${info.title ?? info.name} ${info.version}`;
    return [
      `# ${this.#line(title ?? 'A session')}`,
      '',
      `- Agent: ${this.#line(name)}`,
      `- Folder: ${this.#line(fromHome(cwd))}`,
      `- Begun: ${toLocalTime(Date.parse(startedAt))}`,
      `- Turns: ${String(turns)}`,
    ].join('\n');
  }

  item(item: Item): string {
    switch (item.kind) {
      case 'message': {
        const text = toSafeMarkdown(this.#clean(item.blocks.map(toWords).join('')).trim());
        const { steering } = item;
        // The turn of its own has the same words.
        if (text === '' || steering === 'queued') return '';
        const rest =
          item.cutPieces === undefined ? '' : '\n\n*The rest of this message is in the event log.*';
        if (item.role === 'agent') return text + rest;
        const remark = steering === undefined ? '' : `\n\n*(${toSteeringRemark(steering)})*`;
        return (
          [item.role === 'user' ? '## Prompt' : '*Thought:*', '', quote(text)].join('\n') + rest + remark
        );
      }
      case 'tool-call':
        return this.#call(item);
      case 'question': {
        const answer = item.answer === undefined ? 'not answered' : toAnswer(item.answer);
        return `**Question:** ${this.#line(item.message)} (${this.#line(answer)})`;
      }
      case 'notice':
        return `*Notice: ${this.#line(item.notice.title)}*`;
      case 'compaction':
        return `*The conversation was compacted (${this.#line(item.status)}).*`;
      case 'file-write':
        return `**${item.isNew ? 'Made' : 'Wrote'}** ${this.#line(fromHome(item.path))}`;
      case 'interruption':
        return '*Interrupted: the outcome of running actions is unknown.*';
      case 'agent-end':
        return '*The agent exited.*';
      case 'recovery':
        return item.by === 'new'
          ? '*The agent started a new session without the earlier conversation.*'
          : '*The agent was restarted.*';
      case 'subagent':
        return this.#subagent(item.sessionId);
      case 'session-message': {
        const text = toSafeMarkdown(this.#clean(item.blocks.map(toWords).join('')).trim());
        return `*${this.#line(toParticipants(item, this.#root))}:*\n\n${quote(text)}`;
      }
      case 'diagnostic':
      case 'omission':
      case 'unknown':
        return '';
    }
  }

  /** The conversation of a sub-agent, where it was announced. */
  #subagent(sessionId: string): string {
    const subagent = subagentOf(this.#root, sessionId);
    if (subagent === undefined) return '';
    const page = new Page(subagent.conversation, this.#root, this.#clean);
    const pieces = Array.from(values(subagent.conversation.items), (item) => page.item(item));
    const head = `**${this.#line(toSubagentLine(subagent))}**`;
    return [head, ...pieces.filter((piece) => piece !== '').map(quote)].join('\n\n');
  }

  /** How a turn ended, where that is not the usual way. */
  end(turn: TurnState | undefined): string {
    if (turn?.state !== 'ended' || turn.stopReason === 'end_turn') return '';
    return `*The turn ended: ${this.#line(turn.error?.message ?? turn.stopReason ?? '')}.*`;
  }

  plan(): string {
    const { plan = [] } = this.#view;
    if (plan.length === 0) return '';
    const entries = plan.map(
      ({ status, content }) => `- [${status === 'completed' ? 'x' : ' '}] ${this.#line(content)}`,
    );
    return ['## Plan', '', ...entries].join('\n');
  }

  #call({ call, permission, outcome }: ToolCallItem): string {
    const status = outcome === undefined ? (call.status ?? 'pending') : 'unknown outcome';
    const blocks = [`**${this.#line(toToolTitle(call))}** (${this.#line(status)})`];
    if (permission?.answer !== undefined) {
      const { decision, by, reason } = permission.answer;
      const option = permission.options.find(({ optionId }) => optionId === decision);
      const chosen = option === undefined ? decision : toOptionText(option);
      blocks.push(`Permission: ${this.#line(chosen)}, by ${this.#line(by)}: ${this.#line(reason)}`);
    }
    for (const content of call.content ?? []) blocks.push(this.#content(content));
    return blocks.filter((block) => block !== '').join('\n\n');
  }

  #content(content: ToolCallContent): string {
    switch (content.type) {
      case 'content':
        return content.content.type === 'text' ? this.#result(content.content.text) : '';
      case 'diff': {
        const { path, oldText = '', newText } = content;
        const lines = diffLines(oldText, newText, 3).map(({ sign, text }) => `${sign}${text}`);
        return `${this.#line(fromHome(path))}\n\n${this.#fenced(lines.join('\n'), 'diff')}`;
      }
      case 'terminal': {
        const terminal = get(this.#view.terminals, content.terminalId);
        return terminal === undefined
          ? ''
          : this.#fenced(`$ ${terminal.command}\n${terminal.output}`, 'console');
      }
      case 'session':
      case 'unknown':
        return '';
    }
  }

  /** A result is Markdown, and most often one block of code: that is not put into another one. */
  #result(text: string): string {
    const [, , language = '', code] = /^(`{3,})([\w+-]*)\n([^]*)\n\1\s*$/u.exec(text.trimStart()) ?? [];
    return code === undefined ? this.#fenced(text) : this.#fenced(code, language);
  }

  /** A text as it is, behind a fence that nothing in it can end. */
  #fenced(text: string, language = ''): string {
    const plain = this.#clean(text).trimEnd();
    if (plain === '') return '';
    const longest = Math.max(2, ...[...plain.matchAll(/`+/gu)].map(([run]) => run.length));
    const fence = '`'.repeat(longest + 1);
    return [`${fence}${language}`, ...excerpt(plain.split('\n'), maxLines), fence].join('\n');
  }

  /** One line in which nothing is markup. */
  #line(text: string): string {
    const line = this.#clean(text).replaceAll(/\s+/gu, ' ').trim();
    return line.replaceAll(/[\\`*_[\]<>#|~]/gu, String.raw`\$&`);
  }
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function toWords(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `\`${block.uri.replaceAll('`', '')}\``;
    case 'resource':
      return `\`${block.resource.uri.replaceAll('`', '')}\``;
    case 'image':
    case 'audio':
      return `(${block.type})`;
    case 'unknown':
      return '';
  }
}
