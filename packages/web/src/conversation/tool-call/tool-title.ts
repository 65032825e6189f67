import type { ToolCallUpdate } from '@parley/acp';
import { shownTitle } from '../../limits.ts';

/** A piece of a title; agents mark code in it as Markdown does. */
export interface TitlePiece {
  readonly text: string;
  readonly isCode: boolean;
}

/** What a call is called: its title, else its tool; undefined when neither is known. */
export function titlePieces({ title, name }: Pick<ToolCallUpdate, 'title' | 'name'>): readonly TitlePiece[] {
  const whole = (title ?? name ?? '').trim();
  if (whole === '') return [];
  const shown = whole.length > shownTitle ? `${whole.slice(0, shownTitle)}…` : whole;
  const parts = shown.split('`');
  // A mark without a partner is itself.
  if (parts.length % 2 === 0) return [{ text: shown, isCode: false }];
  return parts.map((text, index) => ({ text, isCode: index % 2 === 1 })).filter(({ text }) => text !== '');
}
