import type { MergeWorktreeResult } from '@parley/host/hub';
import { useState, type ReactElement } from 'react';
import { PathList } from '../changes/dialog/path-list.tsx';
import { useHubClient } from '../hub/use-hub.ts';
import { commitLength } from '../limits.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useNotices } from '../parts/notices.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import type { WorktreeDialogProps } from './remove-dialog.tsx';
import { usePreview } from './use-preview.ts';
import { askWorktrees } from './worktree-requests.ts';
import '../changes/dialog/changes-dialog.css';

/** Shows what merging a worktree changes in the checkout, and merges it. */
export function MergeDialog({ sessionKey, name, onClose }: WorktreeDialogProps): ReactElement {
  const { worktrees: text, shell } = useText();
  const client = useHubClient();
  const { notify } = useNotices();
  const [preview, setPreview] = usePreview(() =>
    askWorktrees(client, 'merge', { sessionId: sessionKey, dryRun: true }),
  );
  const [isCommit, setIsCommit] = useState(false);
  const [message, setMessage] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const canMerge =
    !isBusy &&
    preview !== undefined &&
    'result' in preview &&
    preview.result.files.length > 0 &&
    (!isCommit || message.trim() !== '');
  const merge = async (): Promise<void> => {
    if (!canMerge) return;
    setIsBusy(true);
    try {
      const params = { sessionId: sessionKey, ...(isCommit && { message }) };
      const { files } = await askWorktrees(client, 'merge', params);
      notify(text.merged(files.length));
      onClose();
    } catch (error) {
      setPreview({ error });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={text.mergeTitle(name)} onClose={onClose}>
      {preview === undefined ? (
        <output className="soft">{text.mergePreviewing}</output>
      ) : 'error' in preview ? (
        <p role="alert" className="changes-dialog-failure">
          {failureText(preview.error, shell)}
        </p>
      ) : (
        <Outcome result={preview.result} />
      )}
      <form
        className="changes-dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          void merge();
        }}
      >
        <label className="changes-dialog-choice" title={text.asCommitHelp}>
          <input
            type="checkbox"
            checked={isCommit}
            onChange={({ target: { checked } }) => setIsCommit(checked)}
          />
          {text.asCommit}
        </label>
        {isCommit && (
          <textarea
            className="field"
            rows={3}
            aria-label={text.message}
            placeholder={text.message}
            maxLength={commitLength}
            value={message}
            onChange={({ target: { value } }) => setMessage(value)}
          />
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button className="button button-primary" disabled={!canMerge}>
            {text.doMerge}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Outcome({
  result: { checkout, files, repositories },
}: {
  readonly result: MergeWorktreeResult;
}): ReactElement {
  const { worktrees: text } = useText();
  if (files.length === 0) return <p>{text.nothingToMerge}</p>;
  return (
    <>
      <p className="soft">{text.mergeInto(checkout)}</p>
      <PathList
        label={text.mergeList}
        files={files.map(({ path, additions, deletions }) => ({
          path,
          ...(additions !== undefined && { note: `+${String(additions)} −${String(deletions ?? 0)}` }),
        }))}
      />
      {repositories.length > 0 && <p className="soft small">{text.notMerged(repositories)}</p>}
    </>
  );
}
