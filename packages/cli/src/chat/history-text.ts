import { turnCount, type SessionState } from '@parley/host/state';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import type { Style } from '../output/style.ts';
import { turnsText, type TurnsTextOptions } from '../sessions/text/conversation-text.ts';

/** How many turns are shown when a session is resumed. */
export const resumedTurns = 5;

/** Where a history is shown. */
export interface HistoryOptions {
  readonly style: Style;
  readonly columns: number;
  /** How many of the last turns. */
  readonly last: number;
}

/** Lays out messages of the agent as Markdown, on a terminal that shows it. */
export function withMarkdown(style: Style, columns: number): Pick<TurnsTextOptions, 'style' | 'layOut'> {
  const layOut = (message: string): string => renderMarkdown(message, { columns: () => columns, style });
  return { style, ...(style.isColoured && { layOut }) };
}

/** The last turns of a session, and how to see more of them. */
export function* historyText(
  state: SessionState,
  { style, columns, last }: HistoryOptions,
): Generator<string, void, undefined> {
  const earlier = turnCount(state) - last;
  if (earlier > 0) {
    const turns = earlier === 1 ? '1 earlier turn' : `${String(earlier)} earlier turns`;
    yield `${style.dim(`(${turns}: /history ${String(turnCount(state))} shows all)`)}\n`;
  }
  yield* turnsText(state, { last, ...withMarkdown(style, columns) });
}
