import { useState, type ReactElement } from 'react';
import { useHubClient } from '../hub/use-hub.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useNotices } from '../parts/notices.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import { usePreview } from './use-preview.ts';
import { askWorktrees } from './worktree-requests.ts';
import '../changes/dialog/changes-dialog.css';

/** Which worktree a dialog is about. */
export interface WorktreeDialogProps {
  /** A session that works there, or did. */
  readonly sessionKey: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Explains what happens to the changes in a worktree, and removes it. */
export function RemoveDialog({ sessionKey: sessionId, name, onClose }: WorktreeDialogProps): ReactElement {
  const { worktrees: text, shell } = useText();
  const client = useHubClient();
  const { notify } = useNotices();
  const [preview, setPreview] = usePreview(() =>
    askWorktrees(client, 'remove', { sessionId, discard: true, dryRun: true }),
  );
  const [isBusy, setIsBusy] = useState(false);
  const isKnown = preview !== undefined && 'result' in preview;
  const savedAs = isKnown ? preview.result.savedAs : undefined;
  const remove = async (): Promise<void> => {
    setIsBusy(true);
    try {
      // What was changed since the preview is saved, too.
      const done = await askWorktrees(client, 'remove', { sessionId, discard: true });
      notify(done.savedAs === undefined ? text.removed(name) : text.removedAndSaved(name, done.savedAs));
      onClose();
    } catch (error) {
      setPreview({ error });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={text.removeTitle(name)} onClose={onClose}>
      {preview === undefined ? (
        <output className="soft">{text.removePreviewing}</output>
      ) : 'error' in preview ? (
        <p role="alert" className="changes-dialog-failure">
          {failureText(preview.error, shell)}
        </p>
      ) : savedAs === undefined ? (
        <p>{text.removeLosesNothing}</p>
      ) : (
        <>
          <p>{text.removeSaves(savedAs)}</p>
          <p className="soft small">{text.removeRestore}</p>
          <pre className="worktrees-command">{`git branch ${name} ${savedAs}`}</pre>
        </>
      )}
      <p className="soft small">{text.removeIgnored}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {text.cancel}
        </button>
        <button
          type="button"
          className="button button-danger"
          disabled={!isKnown || isBusy}
          onClick={() => void remove()}
        >
          {savedAs === undefined ? text.doRemove : text.doSaveAndRemove}
        </button>
      </div>
    </Dialog>
  );
}
