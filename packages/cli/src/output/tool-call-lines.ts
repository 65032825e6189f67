import type { ToolCallUpdate } from '@parley/acp';
import { createReportedOutputs, type PermissionEvent } from '@parley/host';
import { toPlainLine } from './plain.ts';
import type { Style } from './style.ts';
import type { TextPage } from './text-page.ts';
import { toResultLines, toToolTitle } from './tool-call-text.ts';

/** Remembered tool calls, running and ended; the oldest are dropped first. */
const maxCalls = 1024;

/** How tool calls are shown. */
export interface ToolCallLinesOptions {
  readonly style: Style;
  /** The user was asked on the same screen: what was shown there is not repeated. */
  readonly isScreen: boolean;
  /** Called for each call that ended, with its whole result: only the beginning or the end of it may have been shown. */
  readonly onEnded?: (call: ToolCallUpdate) => void;
}

/** A few lines for each tool call: when it begins, whether it was allowed, and what came of it. */
export class ToolCallLines {
  readonly #page: TextPage;
  readonly #options: ToolCallLinesOptions;
  readonly #calls = new Map<string, ToolCallUpdate>();
  /** The titles of open calls, as they stand above. */
  readonly #titles = new Map<string, string>();
  /** A call that ended may still be updated; its end is shown once. */
  readonly #ended = new Set<string>();
  readonly #outputs = createReportedOutputs();
  /** The calls whose changes the user has seen in the question. */
  readonly #seen = new Set<string>();

  constructor(page: TextPage, options: ToolCallLinesOptions) {
    this.#page = page;
    this.#options = options;
  }

  /** @param isNew Whether the agent announces the call. */
  take(change: ToolCallUpdate, isNew: boolean): void {
    if (isNew) this.#ended.delete(change.toolCallId);
    if (this.#ended.has(change.toolCallId)) return;
    this.#outputs.note(change);
    const call = this.#know(change);
    if (call.status === 'completed' || call.status === 'failed') {
      this.#calls.delete(call.toolCallId);
      this.#end(call);
      return;
    }
    // While its input is still being written, its title is only that of the tool.
    if (isNew && isUnwritten(call)) return;
    if (!this.#titles.has(call.toolCallId)) this.#begin(call);
  }

  /** The agent asks for permission. The call need not have been announced before. */
  asked(change: ToolCallUpdate): void {
    this.#ended.delete(change.toolCallId);
    const call = this.#know(change);
    if (!this.#isNamed(call)) this.#begin(call);
  }

  /** The request for permission was answered. */
  answered({ toolCallId, options, decision, by, reason, remembered }: PermissionEvent): void {
    const { style, isScreen } = this.#options;
    const kind = options.find(({ optionId }) => optionId === decision)?.kind;
    const isAllowed = kind === 'allow_once' || kind === 'allow_always';
    const call = this.#calls.get(toolCallId);
    if (isScreen && by === 'person' && remembered !== true) {
      this.#seen.add(toolCallId);
      if (isAllowed && call !== undefined) this.#begin(call);
      return;
    }
    const title = call === undefined || this.#page.isUnfinished(toolCallId) ? '' : `${toToolTitle(call)}: `;
    // Only the agent knows the effect of an answer of an unknown kind.
    const isUnknown = kind === 'unknown';
    const outcome = isUnknown ? 'answered' : isAllowed ? style.green('allowed') : style.red('not allowed');
    this.#page.line(`  ${title}${outcome}, ${toPlainLine(reason)}`);
  }

  #begin(call: ToolCallUpdate): void {
    const title = toToolTitle(call);
    this.#page.beginLine(`• ${title}`, call.toolCallId);
    this.#titles.set(call.toolCallId, title);
  }

  /** Its end is written on the line of its beginning, if nothing was written in between. */
  #end(call: ToolCallUpdate): void {
    const { style, onEnded } = this.#options;
    if (!this.#page.isUnfinished(call.toolCallId) || !this.#isNamed(call)) this.#begin(call);
    this.#titles.delete(call.toolCallId);
    this.#ended.add(call.toolCallId);
    dropOldest(this.#ended);
    this.#page.endLine(call.status === 'failed' ? ` … ${style.red('failed')}` : ` … ${style.green('done')}`);
    const isSeen = this.#seen.delete(call.toolCallId) && call.status === 'completed';
    const whole = { ...call, content: this.#outputs.takeContent(call) };
    const content = whole.content.filter(({ type }) => !(isSeen && type === 'diff'));
    for (const result of toResultLines({ ...whole, content }, style)) this.#page.endLine(`    ${result}`);
    onEnded?.(whole);
  }

  /** Whether what stands above says what the call does, as far as it is known now. */
  #isNamed(call: ToolCallUpdate): boolean {
    return this.#titles.get(call.toolCallId) === toToolTitle(call);
  }

  /** What is known of a call by now. */
  #know(change: ToolCallUpdate): ToolCallUpdate {
    const known = this.#calls.get(change.toolCallId);
    const call = known === undefined ? change : { ...known, ...change };
    this.#calls.set(call.toolCallId, call);
    for (const id of dropOldest(this.#calls)) this.#titles.delete(id);
    return call;
  }
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
