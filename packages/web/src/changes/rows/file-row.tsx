import { Check, ChevronDown, ChevronRight, CircleCheck, Undo2, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { DiffCounts } from '../../conversation/diff/diff-counts.tsx';
import { Honest } from '../../parts/honest.tsx';
import { useText } from '../../text/language.tsx';
import { usePanel } from '../panel-context.ts';
import { pathText } from '../path-text.ts';
import { fileKey, isReviewed, type ChangesRow } from './changes-rows.ts';

/** A changed file with its actions. */
export function FileRow({
  row: { key, file, isOpen },
}: {
  readonly row: Extract<ChangesRow, { readonly kind: 'file' }>;
}): ReactElement {
  const { changes: text } = useText();
  const { toggle } = usePanel();
  const path = pathText(file.path);
  const { status, oldPath, oldMode, newMode } = file;
  const hasNewMode = oldMode !== undefined && newMode !== undefined && oldMode !== newMode;
  return (
    // A fieldset is of a form.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div className="changes-file" role="group" aria-label={path} data-row={key} tabIndex={-1}>
      <button
        type="button"
        className="changes-file-name"
        aria-expanded={isOpen}
        title={path}
        onClick={() => toggle(fileKey(file), !isOpen)}
      >
        {isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
        <span className={`changes-status changes-status-${status}`} aria-hidden>
          {letters[status]}
        </span>
        <span className="visually-hidden">{text.statuses[status]}</span>
        <code>
          <Honest text={path} />
        </code>
      </button>
      {oldPath !== undefined && <span className="soft small">{text.renamedFrom(pathText(oldPath))}</span>}
      {hasNewMode && <span className="soft small">{text.modes(oldMode, newMode)}</span>}
      {!file.binary && <DiffCounts added={file.additions} removed={file.deletions} />}
      {!file.reported && (
        <span className="changes-mark changes-mark-warn" title={text.unreportedHelp}>
          {text.unreported}
        </span>
      )}
      {isReviewed(file) && (
        <span className="changes-mark changes-mark-good">
          <CircleCheck size={12} aria-hidden /> {text.reviewed}
        </span>
      )}
      <FileActions file={file} path={path} />
    </div>
  );
}

/** The letters that editors show for git's status. */
const letters = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R', mode: 'T' } as const;

function FileActions({
  file,
  path,
}: {
  readonly file: Extract<ChangesRow, { readonly kind: 'file' }>['file'];
  readonly path: string;
}): ReactElement | null {
  const { changes: text } = useText();
  const { isObserver, isBusy, current, turn, keep, revert, undoFile } = usePanel();
  if (isObserver) return null;
  const ids = file.hunks.filter(({ id }) => current.has(id)).map(({ id }) => id);
  const unreviewed = file.hunks.filter(({ id, reviewed }) => reviewed !== true && current.has(id));
  return (
    <span className="changes-actions">
      {unreviewed.length > 0 && (
        <button
          type="button"
          className="button button-plain small"
          aria-label={text.inFile(text.keepAll, path)}
          disabled={isBusy}
          onClick={() => keep(unreviewed.map(({ id }) => id))}
        >
          <Check size={14} aria-hidden /> {text.keepAll}
        </button>
      )}
      {turn !== undefined ? (
        <button
          type="button"
          className="button button-plain small"
          aria-label={text.undoFile(path)}
          onClick={() => undoFile(file.path)}
        >
          <Undo2 size={14} aria-hidden /> {text.undo}
        </button>
      ) : (
        ids.length > 0 && (
          <button
            type="button"
            className="button button-plain small"
            aria-label={text.inFile(text.revertAll, path)}
            disabled={isBusy}
            onClick={() => revert(ids)}
          >
            <X size={14} aria-hidden /> {text.revertAll}
          </button>
        )
      )}
    </span>
  );
}
