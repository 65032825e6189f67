import type { CommitResult } from '@parley/host/hub';
import { useState, type ReactElement } from 'react';
import { askChanges } from '../../hub/changes-requests.ts';
import { useHubClient } from '../../hub/use-hub.ts';
import { commitLength } from '../../limits.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useNotices } from '../../parts/notices.tsx';
import { failureText } from '../../shell/failure-text.ts';
import { useText } from '../../text/language.tsx';
import { PathList } from './path-list.tsx';
import './changes-dialog.css';

/** Commits what the session changed. */
export function CommitDialog({
  sessionKey,
  onClose,
}: {
  readonly sessionKey: string;
  readonly onClose: () => void;
}): ReactElement {
  const { changes: text, shell } = useText();
  const client = useHubClient();
  const { notify } = useNotices();
  const [message, setMessage] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<{ readonly error: unknown } | Pick<CommitResult, 'conflicts'>>();
  const commit = async (): Promise<void> => {
    if (message.trim() === '' || isBusy) return;
    setIsBusy(true);
    try {
      const result = await askChanges(client, 'commitChanges', sessionKey, { message });
      if (result.commit === undefined) return setFailure(result);
      const said = text.committed(result.commit.slice(0, 10), result.files.length);
      const { unreported, omitted, unavailable = [] } = result;
      const remarks = [
        ...(unreported.length > 0 ? [text.leftOut(unreported.length)] : []),
        ...(omitted.length > 0 ? [text.omittedLeftOut(omitted.length)] : []),
        ...(unavailable.length > 0 ? [text.turnsLeftOut(unavailable.map(({ turn }) => turn))] : []),
      ];
      notify(remarks.length === 0 ? said : `${said}. ${remarks.join(' ')}`);
      onClose();
    } catch (error) {
      setFailure({ error });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={text.commitTitle} onClose={onClose}>
      <p className="soft">{text.commitHelp}</p>
      <form
        className="changes-dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          void commit();
        }}
      >
        <textarea
          className="field"
          // Who chose to commit wants to type.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          rows={4}
          aria-label={text.message}
          placeholder={text.message}
          maxLength={commitLength}
          value={message}
          onChange={({ target: { value } }) => setMessage(value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void commit();
          }}
        />
        {failure !== undefined && (
          <div role="alert" className="changes-dialog-failure">
            {'error' in failure ? (
              <p>{failureText(failure.error, shell)}</p>
            ) : (
              <>
                <p>{text.commitConflicts}</p>
                <PathList label={text.commitConflicts} files={failure.conflicts} />
              </>
            )}
          </div>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button className="button button-primary" disabled={isBusy || message.trim() === ''}>
            {text.commit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
