import { isUndone, type ChangesState } from '@parley/host/state';
import {
  Columns2,
  FoldVertical,
  GitCommitHorizontal,
  Redo2,
  Rows2,
  Undo2,
  UnfoldVertical,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { DiffCounts } from '../conversation/diff/diff-counts.tsx';
import { useText } from '../text/language.tsx';
import type { ChangesAddress } from './changes-address.ts';
import type { LoadedChanges } from './use-changes.ts';
import type { ListState } from './use-rows.ts';

/** What the row above the changes offers. */
export interface ChangesToolbarProps {
  readonly changes: ChangesState;
  readonly address: ChangesAddress;
  readonly loaded: LoadedChanges;
  readonly list: ListState;
  readonly isObserver: boolean;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onCommit: () => void;
}

/** The view options of the changes, and the actions for all of them. */
export function ChangesToolbar(props: ChangesToolbarProps): ReactElement {
  const { changes, loaded, list, isObserver, onUndo, onRedo, onCommit } = props;
  const { changes: text } = useText();
  const { diff } = loaded;
  const added = diff?.files.reduce((sum, { additions }) => sum + additions, 0) ?? 0;
  const removed = diff?.files.reduce((sum, { deletions }) => sum + deletions, 0) ?? 0;
  const canUndo = changes.turns.some((turn) => !isUndone(turn));
  return (
    <div className="changes-bar">
      <div className="changes-bar-row">
        <Scope {...props} />
        {diff !== undefined && diff.files.length > 0 && (
          <p className="changes-sum small">
            {text.files(diff.files.length)} <DiffCounts added={added} removed={removed} />
          </p>
        )}
        {!isObserver && (
          <span className="changes-actions">
            <button type="button" className="button small" disabled={!canUndo} onClick={onUndo}>
              <Undo2 size={14} aria-hidden /> {text.undo}
            </button>
            <button
              type="button"
              className="button small"
              disabled={changes.undos.length === 0}
              onClick={onRedo}
            >
              <Redo2 size={14} aria-hidden /> {text.redo}
            </button>
            {diff?.noRepository !== true && (
              <button
                type="button"
                className="button small"
                disabled={diff === undefined || diff.files.length === 0}
                onClick={onCommit}
              >
                <GitCommitHorizontal size={14} aria-hidden /> {text.commit}
              </button>
            )}
          </span>
        )}
      </div>
      {diff !== undefined && diff.files.length > 0 && <HowShown list={list} />}
    </div>
  );
}

function Scope({ changes, address: { turn, show } }: ChangesToolbarProps): ReactElement {
  const { changes: text } = useText();
  return (
    <select
      className="field changes-scope small"
      aria-label={text.scope}
      value={turn ?? ''}
      onChange={({ target: { value } }) => show(value === '' ? undefined : Number(value))}
    >
      <option value="">{text.wholeSession}</option>
      {changes.turns.map((each) => (
        <option key={each.turnId} value={each.turn}>
          {isUndone(each) ? text.turnUndone(each.turn) : text.turn(each.turn)}
        </option>
      ))}
      {turn !== undefined && changes.turns.every((each) => each.turn !== turn) && (
        <option value={turn}>{text.turn(turn)}</option>
      )}
    </select>
  );
}

function HowShown({ list }: { readonly list: ListState }): ReactElement {
  const { changes: text, conversation } = useText();
  const { layout, setLayout, onlyUnreviewed, setOnlyUnreviewed, counts, openAll, rows } = list;
  const hasOpen = rows.some((row) => row.kind === 'file' && row.isOpen);
  const OpenIcon = hasOpen ? FoldVertical : UnfoldVertical;
  return (
    <div className="changes-bar-row small">
      <span className="soft">{text.reviewedOf(counts.reviewed, counts.all)}</span>
      <label className="changes-choice">
        <input
          type="checkbox"
          checked={onlyUnreviewed}
          onChange={({ target: { checked } }) => setOnlyUnreviewed(checked)}
        />
        {text.onlyUnreviewed}
      </label>
      <span className="changes-actions">
        <button type="button" className="button button-plain small" onClick={() => openAll(!hasOpen)}>
          <OpenIcon size={14} aria-hidden /> {hasOpen ? text.collapseAll : text.expandAll}
        </button>
        {setLayout !== undefined && (
          <button
            type="button"
            className="button button-plain small"
            onClick={() => setLayout(layout === 'split' ? 'unified' : 'split')}
          >
            {layout === 'split' ? <Rows2 size={14} aria-hidden /> : <Columns2 size={14} aria-hidden />}
            {layout === 'split' ? conversation.showUnified : conversation.showSplit}
          </button>
        )}
      </span>
    </div>
  );
}
