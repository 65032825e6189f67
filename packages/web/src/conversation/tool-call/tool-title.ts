import type { ToolCallUpdate } from '@parley/acp';
import { shownTitle } from '../../limits.ts';
import { ownToolTitle, type OwnToolTitles } from '../../text/own-text.ts';

/** A piece of a title; agents mark code in it as Markdown does. */
export interface TitlePiece {
  readonly text: string;
  readonly isCode: boolean;
}

/**
 * The title of a call, else the name of its tool; empty if both are unknown.
 *
 * @param own Translated titles of Parley's own agent.
 */
export function titlePieces(
  { title, name }: Pick<ToolCallUpdate, 'title' | 'name'>,
  own: OwnToolTitles = {},
): readonly TitlePiece[] {
  const whole = title === undefined ? (name ?? '').trim() : ownToolTitle(name, title.trim(), own);
  if (whole === '') return [];
  const shown = whole.length > shownTitle ? `${whole.slice(0, shownTitle)}…` : whole;
  const parts = shown.split('`');
  // A mark without a partner is itself.
  if (parts.length % 2 === 0) return [{ text: shown, isCode: false }];
  return parts.map((text, index) => ({ text, isCode: index % 2 === 1 })).filter(({ text }) => text !== '');
}
