import type { ChangedPath } from '@parley/host/state';
import type { ReactElement } from 'react';
import { shownRestored } from '../../limits.ts';
import { Honest } from '../../parts/honest.tsx';
import { useText } from '../../text/language.tsx';
import { pathText } from '../path-text.ts';

/** A list of files by path, each with a note. */
export function PathList({
  label,
  files,
}: {
  readonly label: string;
  readonly files: readonly { readonly path: ChangedPath; readonly note?: string }[];
}): ReactElement {
  const { changes: text } = useText();
  return (
    <>
      {/* It can be scrolled, also with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className="changes-paths small" aria-label={label} tabIndex={0}>
        {files.slice(0, shownRestored).map(({ path, note }) => (
          <li key={pathText(path)}>
            <code>
              <Honest text={pathText(path)} />
            </code>
            {note !== undefined && <span className="soft">{note}</span>}
          </li>
        ))}
      </ul>
      {files.length > shownRestored && (
        <p className="soft small">{text.moreFiles(files.length - shownRestored)}</p>
      )}
    </>
  );
}
