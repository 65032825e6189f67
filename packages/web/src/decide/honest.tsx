import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { toHonestPieces } from './honest-text.ts';

/** A text of an agent's in which nothing hides: what cannot be seen is shown by its code, and marked. */
export function Honest({ text }: { readonly text: string }): ReactElement {
  const { decide } = useText();
  const pieces = toHonestPieces(text);
  return (
    <>
      {pieces.map((piece, index) => {
        if (piece.kind === 'plain') return piece.text;
        const title = piece.kind === 'hidden' ? decide.hiddenCharacter : decide.lookalike;
        return (
          // The pieces of a text never change places.
          // oxlint-disable-next-line react/no-array-index-key
          <mark key={index} className={`honest-${piece.kind}`} title={title}>
            {piece.text}
          </mark>
        );
      })}
    </>
  );
}
