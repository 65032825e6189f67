import type { RestoreResult } from '@parley/host/hub';
import type { ChangedPath, ChangesState } from '@parley/host/state';
import { useCallback, useEffect, useState, type ReactElement } from 'react';
import { askChanges } from '../../hub/changes-requests.ts';
import { useHubClient } from '../../hub/use-hub.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useNotices } from '../../parts/notices.tsx';
import { failureText } from '../../shell/failure-text.ts';
import { useText } from '../../text/language.tsx';
import { PathList } from './path-list.tsx';
import './changes-dialog.css';

/** What is undone, or that the last undo is redone. */
export type UndoTarget =
  | { readonly kind: 'undo'; readonly turn: number; readonly paths?: readonly ChangedPath[] }
  | { readonly kind: 'redo' };

/** What is about to be undone, and where. */
export interface UndoDialogProps {
  readonly sessionKey: string;
  readonly changes: ChangesState;
  readonly target: UndoTarget;
  /** A turn of the session runs. */
  readonly isRunning: boolean;
  readonly onClose: () => void;
}

type Preview = { readonly result: RestoreResult } | { readonly error: unknown };

/** Shows what an undo or a redo would do with each file, and does it. */
export function UndoDialog(props: UndoDialogProps): ReactElement {
  const { target, changes, isRunning, onClose } = props;
  const { changes: text, shell } = useText();
  const { notify } = useNotices();
  const [withUnreported, setWithUnreported] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const ask = useRestore(props, withUnreported);
  const [preview, setPreview] = useState<Preview>();
  useEffect(() => {
    if (isRunning) return undefined;
    let isWanted = true;
    ask({ dryRun: true }).then(
      (result) => isWanted && setPreview({ result }),
      (error: unknown) => isWanted && setPreview({ error }),
    );
    return () => {
      isWanted = false;
    };
  }, [ask, isRunning]);
  const isUndo = target.kind === 'undo';
  const restore = async (force: boolean): Promise<void> => {
    setIsBusy(true);
    try {
      const result = await ask({ force });
      if (result.conflicts.length > 0) return setPreview({ result });
      notify(isUndo ? text.undoDone : text.redoDone);
      onClose();
    } catch (error) {
      setPreview({ error });
    } finally {
      setIsBusy(false);
    }
  };
  const hasConflicts = preview !== undefined && 'result' in preview && preview.result.conflicts.length > 0;
  const canRestore =
    !isBusy &&
    !isRunning &&
    preview !== undefined &&
    'result' in preview &&
    // Force does not replace a file that could not be brought back.
    !preview.result.conflicts.some(({ why }) => why === 'too-large');
  const unreported = isUndo && target.paths === undefined ? countUnreported(changes, target.turn) : 0;
  const name = isUndo ? text.undo : text.redo;
  const anyway = isUndo ? text.undoAnyway : text.redoAnyway;
  return (
    <Dialog title={isUndo ? text.undoTitle(target.turn) : text.redoTitle} onClose={onClose}>
      {isRunning ? (
        <p role="alert">{text.runningHelp}</p>
      ) : preview === undefined ? (
        <output className="soft">{text.previewing}</output>
      ) : 'error' in preview ? (
        <p role="alert" className="changes-dialog-failure">
          {failureText(preview.error, shell)}
        </p>
      ) : (
        <Outcome result={preview.result} help={isUndo ? text.undoAnywayHelp : text.redoAnywayHelp} />
      )}
      {unreported > 0 && (
        <label className="changes-dialog-choice">
          <input
            type="checkbox"
            checked={withUnreported}
            onChange={({ target: { checked } }) => {
              setPreview(undefined);
              setWithUnreported(checked);
            }}
          />
          {text.includeUnreported(unreported)}
        </label>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {text.cancel}
        </button>
        <button
          type="button"
          className={hasConflicts ? 'button button-danger' : 'button button-primary'}
          disabled={!canRestore}
          onClick={() => void restore(hasConflicts)}
        >
          {hasConflicts ? anyway : name}
        </button>
      </div>
    </Dialog>
  );
}

function useRestore(
  { sessionKey, target }: UndoDialogProps,
  withUnreported: boolean,
): (options: RestoreOptions) => Promise<RestoreResult> {
  const client = useHubClient();
  return useCallback(
    (options) => {
      if (target.kind === 'redo') return askChanges(client, 'redoChanges', sessionKey, options);
      const { turn, paths } = target;
      return askChanges(client, 'undoChanges', sessionKey, {
        turn,
        ...(paths !== undefined && { paths }),
        ...(withUnreported && { unreported: true }),
        ...options,
      });
    },
    [client, sessionKey, target, withUnreported],
  );
}

interface RestoreOptions {
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

function Outcome({
  result: { files, conflicts },
  help,
}: {
  readonly result: RestoreResult;
  readonly help: string;
}): ReactElement {
  const { changes: text } = useText();
  const actions: Readonly<Record<string, string>> = text.actions;
  if (conflicts.length > 0) {
    return (
      <div role="alert">
        <p className="changes-dialog-failure">{text.conflicts}</p>
        <PathList
          label={text.conflicts}
          files={conflicts.map(({ path, why }) => ({
            path,
            ...(why === 'too-large' && { note: text.tooLargeToReplace }),
          }))}
        />
        <p className="soft small">{help}</p>
      </div>
    );
  }
  if (files.length === 0) return <p>{text.nothingToWrite}</p>;
  return (
    <PathList
      label={text.preview}
      files={files.map(({ path, action }) => ({ path, note: actions[action] ?? action }))}
    />
  );
}

/** Files of a turn that no tool call accounts for, and that are not undone. */
function countUnreported({ turns }: ChangesState, turn: number): number {
  const changed = turns.find((each) => each.turn === turn);
  if (changed === undefined) return 0;
  const { files, more } = changed;
  const listed = files.filter(({ reported, undone }) => !reported && undone !== true).length;
  return listed + (more !== undefined && !more.reported && more.undone !== true ? more.files : 0);
}
