import { useState, type ReactElement } from 'react';
import { shownLineText, shownTextLines } from '../../limits.ts';
import { useText } from '../../text/language.tsx';

/** Text that is shown exactly as it is; when it is long, its beginning first. */
export function TextLines({
  text,
  limit = shownTextLines,
}: {
  readonly text: string;
  /** How many lines are shown at first. @default 24 */
  readonly limit?: number;
}): ReactElement {
  const { conversation } = useText();
  const [isWhole, setWhole] = useState(false);
  const cut = isWhole ? undefined : beginningOf(text, limit);
  return (
    <>
      <p className="text-lines" dir="auto">
        {cut ?? text}
      </p>
      {(cut !== undefined || isWhole) && (
        <button
          type="button"
          className="button button-plain small text-more"
          aria-expanded={isWhole}
          onClick={() => {
            setWhole(!isWhole);
          }}
        >
          {isWhole ? conversation.collapse : conversation.expand}
        </button>
      )}
    </>
  );
}

function beginningOf(text: string, limit: number): string | undefined {
  let end = -1;
  for (let line = 0; line < limit; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) break;
  }
  const most = limit * shownLineText;
  const length = end === -1 ? Math.min(text.length, most) : Math.min(end, most);
  return length < text.length - 1 ? text.slice(0, length) : undefined;
}
