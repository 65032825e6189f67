import { spell, type QuestionChange, type QuestionFile } from '@parley/host/state';
import { useMemo, type ReactElement } from 'react';
import { Diff } from '../conversation/diff/diff.tsx';
import { HonestPieces } from '../parts/honest.tsx';
import { useText } from '../text/language.tsx';
import { Warning } from './warning.tsx';

/** A file of a request: the effect on it, its resolved path, its protection, and the new content. */
export function FilePart({
  file,
  cwd,
}: {
  readonly file: QuestionFile;
  readonly cwd: string | undefined;
}): ReactElement {
  const { inbox } = useText();
  const { path, realPath, isOutside, effect, protection, change } = file;
  return (
    <div className="call-file">
      <p className="call-fact">
        <span className="soft">{inbox.effects[effect]}</span>{' '}
        <code>
          <HonestPieces pieces={path} />
        </code>
      </p>
      {realPath !== undefined && (
        <Warning>
          {inbox.leadsTo}{' '}
          <code>
            <HonestPieces pieces={realPath} />
          </code>
        </Warning>
      )}
      {isOutside && <Warning>{inbox.outside}</Warning>}
      {protection !== undefined && (
        <Warning>{inbox.protectedFile(inbox.because.protections[protection])}</Warning>
      )}
      {change !== undefined && <Change path={spell(path)} change={change} cwd={cwd} />}
    </div>
  );
}

function Change({
  path,
  change,
  cwd,
}: {
  readonly path: string;
  readonly change: QuestionChange;
  readonly cwd: string | undefined;
}): ReactElement {
  const { inbox } = useText();
  const { newText, oldText, isPart, notes } = change;
  const texts = useMemo(
    () => ({
      newText: spell(newText, inbox.gap),
      // That there is no old text does not say that the file is new.
      oldText: oldText === undefined ? '' : spell(oldText, inbox.gap),
    }),
    [newText, oldText, inbox],
  );
  return (
    <>
      {isPart && <p className="soft small">{inbox.isPart}</p>}
      {notes.map((note) => (
        <p key={note} className="soft small">
          {inbox.changeNotes[note]}
        </p>
      ))}
      {!notes.includes('unchanged') && <Diff path={path} {...texts} {...(cwd !== undefined && { cwd })} />}
    </>
  );
}
