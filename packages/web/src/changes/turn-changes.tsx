import type { ChangedTurn } from '@parley/host/state';
import { isUndone } from '@parley/host/state';
import { FileDiff, Undo2 } from 'lucide-react';
import { use, useMemo, useState, type ReactElement } from 'react';
import { FeedContext, PlaceContext } from '../conversation/conversation-context.ts';
import { DiffCounts } from '../conversation/diff/diff-counts.tsx';
import { useHub, useHubSession } from '../hub/use-hub.ts';
import { later } from '../parts/later.tsx';
import { useText } from '../text/language.tsx';
import { useChangesAddress } from './changes-address.ts';
import type { UndoTarget } from './dialog/undo-dialog.tsx';
import { isBusy } from './is-busy.ts';
import './turn-changes.css';

const UndoDialog = later(async () => (await import('./dialog/undo-dialog.tsx')).UndoDialog);

/** What a turn changed, below it: how much, and the ways to review and undo it. */
export function TurnChanges({ turn }: { readonly turn: ChangedTurn }): ReactElement {
  const { changes: text } = useText();
  const { sessionKey } = use(PlaceContext);
  const { isObserver } = useHub();
  const session = useHubSession(sessionKey);
  const { show } = useChangesAddress();
  const [isUndoing, setIsUndoing] = useState(false);
  const { files, additions, deletions } = sumOf(turn);
  const undone = isUndone(turn);
  return (
    <div className="turn-changes small">
      <FileDiff size={14} aria-hidden />
      <p>
        {text.changedFiles(files)} <DiffCounts added={additions} removed={deletions} />
        {undone && <span className="turn-changes-undone">{text.undone}</span>}
      </p>
      <button
        type="button"
        className="button button-plain small"
        aria-label={text.reviewTurn(turn.turn)}
        onClick={() => show(turn.turn)}
      >
        {text.review}
      </button>
      {!undone && !isObserver && session?.origin !== 'aap' && (
        <button
          type="button"
          className="button button-plain small"
          aria-label={text.undoTurn(turn.turn)}
          onClick={() => setIsUndoing(true)}
        >
          <Undo2 size={14} aria-hidden /> {text.undo}
        </button>
      )}
      {isUndoing && <Undo sessionKey={sessionKey} turn={turn.turn} onClose={() => setIsUndoing(false)} />}
    </div>
  );
}

function Undo({
  sessionKey,
  turn,
  onClose,
}: {
  readonly sessionKey: string;
  readonly turn: number;
  readonly onClose: () => void;
}): ReactElement {
  const { view } = use(FeedContext);
  const target = useMemo((): UndoTarget => ({ kind: 'undo', turn }), [turn]);
  return (
    <UndoDialog
      sessionKey={sessionKey}
      changes={view.changes}
      target={target}
      isRunning={isBusy(view)}
      onClose={onClose}
    />
  );
}

function sumOf({ files, more }: ChangedTurn): {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
} {
  const all = more === undefined ? files : [...files, more];
  return {
    files: files.length + (more?.files ?? 0),
    additions: all.reduce((sum, { additions }) => sum + additions, 0),
    deletions: all.reduce((sum, { deletions }) => sum + deletions, 0),
  };
}
