import { Columns2, Rows2 } from 'lucide-react';
import { useMemo, useState, type ReactElement } from 'react';
import { comparedLines } from '../../limits.ts';
import { useKept } from '../../parts/use-kept.ts';
import { useMedia } from '../../parts/use-media.ts';
import { useText } from '../../text/language.tsx';
import { PathName } from '../path-name.tsx';
import { DiffCounts } from './diff-counts.tsx';
import { DiffTable } from './diff-table.tsx';
import './diff.css';
import { countLines, toDiff } from './to-diff.ts';

/** A file before and after a change. */
export interface DiffViewProps {
  readonly path: string;
  /** Absent when the file is new. */
  readonly oldText?: string;
  readonly newText: string;
  /** The file is deleted. @default false */
  readonly isDeleted?: boolean;
  /** What the path is shown relative to. */
  readonly cwd?: string;
}

/** The changes of a file: unified, or side by side if there is enough space. */
export function DiffView(props: DiffViewProps): ReactElement {
  const { oldText = '', newText } = props;
  const { conversation: text } = useText();
  const [isWanted, setWanted] = useState(false);
  const size = useMemo(
    () => ({ before: countLines(oldText), after: countLines(newText) }),
    [oldText, newText],
  );
  if (isWanted || size.before + size.after <= comparedLines) return <SmallDiff {...props} />;
  return (
    <figure className="diff">
      <figcaption className="diff-head">
        <PathName path={props.path} {...(props.cwd !== undefined && { cwd: props.cwd })} />
        <span className="soft small">{text.hugeDiff(size.before, size.after)}</span>
      </figcaption>
      <button
        type="button"
        className="button diff-more"
        onClick={() => {
          setWanted(true);
        }}
      >
        {text.showDiff}
      </button>
    </figure>
  );
}

function SmallDiff({ path, oldText, newText, isDeleted = false, cwd }: DiffViewProps): ReactElement {
  const { conversation: text } = useText();
  const hasRoom = useMedia('(min-width: 700px)');
  const [kept, keep] = useKept('parley-diff');
  const diff = useMemo(() => toDiff(oldText ?? '', newText), [oldText, newText]);
  const isNew = oldText === undefined && !isDeleted;
  // Of a file that is only on one side, the other side would be empty.
  const canSplit = hasRoom && !isNew && !isDeleted && diff.added > 0 && diff.removed > 0;
  const layout = canSplit && kept === 'split' ? 'split' : 'unified';
  return (
    <figure className="diff">
      <figcaption className="diff-head">
        <PathName path={path} {...(cwd !== undefined && { cwd })} />
        {isNew && <span className="diff-tag">{text.newFile}</span>}
        {isDeleted && <span className="diff-tag diff-tag-deleted">{text.deletedFile}</span>}
        <DiffCounts added={diff.added} removed={diff.removed} />
        {canSplit && (
          <button
            type="button"
            className="button button-plain small diff-layout"
            onClick={() => {
              keep(layout === 'split' ? 'unified' : 'split');
            }}
          >
            {layout === 'split' ? <Rows2 size={14} aria-hidden /> : <Columns2 size={14} aria-hidden />}
            {layout === 'split' ? text.showUnified : text.showSplit}
          </button>
        )}
      </figcaption>
      {diff.added + diff.removed === 0 ? (
        <p className="soft small diff-none">{text.nothingChanged}</p>
      ) : (
        <DiffTable diff={diff} layout={layout} label={path} />
      )}
    </figure>
  );
}
