import type { ReactElement } from 'react';
import { useText } from '../../text/language.tsx';
import './diff-counts.css';

/** How many lines a change adds and removes. */
export function DiffCounts({
  added,
  removed,
}: {
  readonly added: number;
  readonly removed: number;
}): ReactElement {
  const { conversation: text } = useText();
  return (
    <span className="diff-counts small">
      <span aria-hidden>
        <span className="diff-counts-added">+{added}</span>{' '}
        <span className="diff-counts-removed">−{removed}</span>
      </span>
      <span className="visually-hidden">{text.lineCounts(added, removed)}</span>
    </span>
  );
}
