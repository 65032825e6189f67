import type { ReactElement } from 'react';
import { useText } from '../../text/language.tsx';
import type { DiffLine } from './to-diff.ts';

/** The kind of a line, for screen readers. */
export function LineKind({ line: { kind } }: { readonly line: DiffLine }): ReactElement | null {
  const { conversation: text } = useText();
  if (kind === 'same') return null;
  return <span className="visually-hidden">{kind === 'added' ? text.added : text.removed}</span>;
}

/** The text of a line, with what changed in it marked. */
export function LineContent({ line }: { readonly line: DiffLine }): ReactElement {
  if (line.kind === 'same' || line.pieces === undefined) return <>{withMarks(line.text)}</>;
  return (
    <>
      {line.pieces.map(({ text, isChanged }, index) =>
        isChanged ? (
          // oxlint-disable-next-line react/no-array-index-key
          <mark key={index}>{withMarks(text)}</mark>
        ) : (
          withMarks(text)
        ),
      )}
    </>
  );
}

/** An end of line of another system is seen. */
function withMarks(text: string): string {
  return text.replaceAll('\r', '␍');
}
