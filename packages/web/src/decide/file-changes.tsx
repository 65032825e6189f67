import type { ReactElement } from 'react';
import { Diff } from '../conversation/diff/diff.tsx';
import { useText } from '../text/language.tsx';
import type { FileChange } from './call-facts.ts';
import { toHonestText } from './honest-text.ts';
import { Honest } from './honest.tsx';

/** What a call would change, file by file. */
export function FileChanges({
  changes,
  cwd,
}: {
  readonly changes: readonly FileChange[];
  readonly cwd: string | undefined;
}): ReactElement {
  const { decide } = useText();
  return (
    <ul className="call-changes" aria-label={decide.changes(changes.length)}>
      {changes.map(({ path, before, after }, index) => (
        // A file may be changed twice in one call.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          {toHonestText(path) !== path && (
            <p className="small">
              <code>
                <Honest text={path} />
              </code>
            </p>
          )}
          <Diff
            path={path}
            newText={toHonestText(after)}
            {...(before !== undefined && { oldText: toHonestText(before) })}
            {...(cwd !== undefined && { cwd })}
          />
        </li>
      ))}
    </ul>
  );
}
