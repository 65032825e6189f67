import { toHonestPieces, type HonestPiece, type HonestText } from '@parley/host/state';
import { useMemo, type ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import '../question/question.css';

/** A text from an agent with nothing hidden: invisible characters are shown by their code, and highlighted. */
export function Honest({ text }: { readonly text: string }): ReactElement {
  const pieces = useMemo(() => toHonestPieces(text), [text]);
  return <HonestPieces pieces={pieces} />;
}

/** The same, of a text that is divided already. */
export function HonestPieces({ pieces }: { readonly pieces: HonestText }): ReactElement {
  return (
    <>
      {pieces.map((piece, index) =>
        piece.kind === 'plain' ? (
          piece.text
        ) : (
          // The pieces of a text never change places.
          // oxlint-disable-next-line react/no-array-index-key
          <Marked key={index} piece={piece} />
        ),
      )}
    </>
  );
}

function Marked({
  piece,
}: {
  readonly piece: Exclude<HonestPiece, { readonly kind: 'plain' }>;
}): ReactElement {
  const { inbox } = useText();
  switch (piece.kind) {
    case 'hidden':
      return (
        <mark className="honest-hidden" title={inbox.hiddenCharacter}>
          {piece.code}
        </mark>
      );
    case 'lookalike':
      return (
        <mark className="honest-lookalike" title={inbox.lookalike}>
          {piece.text}
          <span className="honest-hidden">≈{piece.codes.join(' ')}</span>
        </mark>
      );
    case 'right-to-left':
      // Its letters run from right to left; what stands beside it stays where it is.
      return <bdi>{piece.text}</bdi>;
    case 'gap': {
      const note = <mark className="honest-hidden">{inbox.gap(piece.gap)}</mark>;
      if (piece.gap.lines === 0) return note;
      return (
        <>
          {piece.text.startsWith('\n') && '\n'}
          {note}
          {'\n'}
        </>
      );
    }
  }
}
