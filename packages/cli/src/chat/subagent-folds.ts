import type { UpdateEvent } from '@parley/host';
import { values, type SessionState } from '@parley/host/state';
import { toPlainLine, toPlainText } from '../output/plain.ts';
import { toToolTitle } from '../output/tool-call-text.ts';
import { toWords } from '../output/update-text.ts';
import { toSubagentLine, type NamedSubagent } from '../sessions/text/subagent-text.ts';

/** Sub-agents that a chat remembers; updates of further ones are not shown. */
const maxSubagents = 4096;

/** Characters of a line that an unfolded sub-agent has not finished. */
const maxLineLength = 2000;

/** How deep lines are indented. */
const maxDepth = 8;

interface Fold {
  readonly number: number;
  readonly parentId?: string;
  subagent: NamedSubagent;
  isUnfolded: boolean;
  /** The line that it has not finished. */
  line: string;
}

/** The sub-agents of a chat, a line each; one that is unfolded shows what it does. */
export class SubagentFolds {
  readonly #folds = new Map<string, Fold>();

  /** The lines about an update of a sub-agent, or about what its parent says of it, if there are any. */
  take({ view, subagent, replay }: UpdateEvent): string | undefined {
    if (view.sessionUpdate === 'subagent_update') return this.#announce(view, subagent, replay);
    const fold = subagent === undefined ? undefined : this.#folds.get(subagent);
    if (fold?.isUnfolded !== true || replay) return undefined;
    switch (view.sessionUpdate) {
      case 'agent_message_chunk':
        return indent(finishedLines(fold, toPlainText(toWords(view.content))));
      case 'tool_call':
        return indent([...restOf(fold), `• ${toToolTitle(view)}`]);
      case 'tool_call_update':
        if (view.status !== 'completed' && view.status !== 'failed') return undefined;
        return indent([...restOf(fold), `• ${toToolTitle(view)} … ${view.status}`]);
      default:
        return undefined;
    }
  }

  /** Those of a stored session are known as well. */
  know({ subagents }: Pick<SessionState, 'subagents'>): void {
    for (const subagent of values(subagents)) {
      const { sessionId, parentId } = subagent;
      const fold = this.#folds.get(sessionId) ?? this.#add(sessionId, parentId);
      if (fold !== undefined) fold.subagent = subagent;
    }
  }

  /** A line for each, under the one that it works for. */
  list(): readonly string[] {
    const children = new Map<string | undefined, Fold[]>();
    for (const fold of this.#folds.values()) {
      const siblings = children.get(fold.parentId);
      if (siblings === undefined) children.set(fold.parentId, [fold]);
      else siblings.push(fold);
    }
    const lines: string[] = [];
    const waiting = toRows(children.get(undefined), 0);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { fold, depth } = next;
      lines.push(`${'  '.repeat(Math.min(depth, maxDepth))}${toLine(fold)}`);
      waiting.push(...toRows(children.get(fold.subagent.sessionId), depth + 1));
    }
    return lines;
  }

  /** The id of the one with this number. */
  idOf(number: number): string | undefined {
    for (const [id, fold] of this.#folds) if (fold.number === number) return id;
    return undefined;
  }

  /** Unfolds one, or folds it again. Gives its line. */
  toggle(id: string): { readonly line: string; readonly isUnfolded: boolean } | undefined {
    const fold = this.#folds.get(id);
    if (fold === undefined) return undefined;
    fold.isUnfolded = !fold.isUnfolded;
    fold.line = '';
    return { line: toLine(fold), isUnfolded: fold.isUnfolded };
  }

  #announce(
    { sessionId, title, state }: Extract<UpdateEvent['view'], { readonly sessionUpdate: 'subagent_update' }>,
    parentId: string | undefined,
    isReplay: boolean,
  ): string | undefined {
    const known = this.#folds.get(sessionId);
    const fold = known ?? this.#add(sessionId, parentId);
    if (fold === undefined) return undefined;
    const { subagent: before } = fold;
    const name = title === undefined ? before.title : (title ?? undefined);
    const work = state === undefined ? before.work : { state: state?.state ?? 'unknown', ...reasonOf(state) };
    fold.subagent = { sessionId, work, ...(name !== undefined && { title: name }) };
    if (isReplay) return undefined;
    if (known === undefined) return `${toLine(fold)} · /subagents ${String(fold.number)} expands it`;
    if (work.state !== 'idle' || before.work.state === 'idle') return undefined;
    return [...(fold.isUnfolded ? [indent(restOf(fold))] : []), toLine(fold)]
      .filter((line) => line !== undefined)
      .join('\n');
  }

  #add(sessionId: string, parentId: string | undefined): Fold | undefined {
    if (this.#folds.size >= maxSubagents) return undefined;
    const fold: Fold = {
      number: this.#folds.size + 1,
      ...(parentId !== undefined && { parentId }),
      subagent: { sessionId, work: { state: 'unknown' } },
      isUnfolded: false,
      line: '',
    };
    this.#folds.set(sessionId, fold);
    return fold;
  }
}

/** The last first: they are taken from the end. */
function toRows(
  folds: readonly Fold[] = [],
  depth: number,
): { readonly fold: Fold; readonly depth: number }[] {
  return folds.map((fold) => ({ fold, depth })).toReversed();
}

function toLine({ number, isUnfolded, subagent }: Fold): string {
  return `${isUnfolded ? '▾' : '▸'} ${String(number)} ${toSubagentLine(subagent)}`;
}

function reasonOf(state: object | null): { readonly stopReason?: string } {
  const stopReason: unknown = state === null ? undefined : Reflect.get(state, 'stopReason');
  return typeof stopReason === 'string' ? { stopReason } : {};
}

/** The lines that its words finish. */
function finishedLines(fold: Fold, words: string): readonly string[] {
  const lines = `${fold.line}${words}`.split('\n');
  const last = lines.pop() ?? '';
  fold.line = last.length > maxLineLength ? '' : last;
  return last.length > maxLineLength ? [...lines, last] : lines;
}

/** The line that it has not finished, as something else follows. */
function restOf(fold: Fold): readonly string[] {
  const { line } = fold;
  fold.line = '';
  return line === '' ? [] : [line];
}

function indent(lines: readonly string[]): string | undefined {
  return lines.length === 0
    ? undefined
    : lines.map((line) => `    ${toPlainLine(line, maxLineLength)}`).join('\n');
}
