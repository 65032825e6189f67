import { spell, type QuestionChange, type QuestionFile } from '@parley/host/view';
import { useMemo, type ReactElement } from 'react';
import { Diff } from '../conversation/diff/diff.tsx';
import { useText } from '../text/language.tsx';
import { HonestPieces } from './honest.tsx';
import { Warning } from './warning.tsx';

/** A file of a request: what happens to it, where it leads, what it is, and what would be written. */
export function FilePart({
  file,
  cwd,
}: {
  readonly file: QuestionFile;
  readonly cwd: string | undefined;
}): ReactElement {
  const { decide } = useText();
  const { path, realPath, isOutside, effect, protection, change } = file;
  return (
    <div className="call-file">
      <p className="call-fact">
        <span className="soft">{decide.effects[effect]}</span>{' '}
        <code>
          <HonestPieces pieces={path} />
        </code>
      </p>
      {realPath !== undefined && (
        <Warning>
          {decide.leadsTo}{' '}
          <code>
            <HonestPieces pieces={realPath} />
          </code>
        </Warning>
      )}
      {isOutside && <Warning>{decide.outside}</Warning>}
      {protection !== undefined && (
        <Warning>{decide.protectedFile(decide.because.protections[protection])}</Warning>
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
  const { decide } = useText();
  const { newText, oldText, isPart, notes } = change;
  const texts = useMemo(
    () => ({
      newText: spell(newText, decide.gap),
      // That there is no old text does not say that the file is new.
      oldText: oldText === undefined ? '' : spell(oldText, decide.gap),
    }),
    [newText, oldText, decide],
  );
  return (
    <>
      {isPart && <p className="soft small">{decide.isPart}</p>}
      {notes.map((note) => (
        <p key={note} className="soft small">
          {decide.changeNotes[note]}
        </p>
      ))}
      {!notes.includes('unchanged') && <Diff path={path} {...texts} {...(cwd !== undefined && { cwd })} />}
    </>
  );
}
