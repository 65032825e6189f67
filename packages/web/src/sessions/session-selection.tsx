import type { SessionMark } from '@parley/host/hub';
import { Archive, ArchiveRestore, Pin, Trash2, X } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useNotices } from '../parts/notices.tsx';
import { useText } from '../text/language.tsx';
import { pathOf } from './session-row.tsx';
import { useMarkSessions } from './use-mark-sessions.ts';

/** Actions for all selected sessions. */
export function SessionSelection({
  keys,
  onDone,
}: {
  readonly keys: readonly string[];
  readonly onDone: () => void;
}): ReactElement {
  const { sessions: text, session } = useText();
  const { archived } = useHub().marks;
  const markSessions = useMarkSessions();
  const client = useHubClient();
  const { attempt } = useNotices();
  const [path, go] = useLocation();
  const [isAsked, setIsAsked] = useState(false);
  const isNone = keys.length === 0;
  const areArchived = !isNone && keys.every((key) => archived.has(key));
  const mark = (as: SessionMark | undefined): void => {
    markSessions(keys, as);
    onDone();
  };
  const remove = async (): Promise<void> => {
    setIsAsked(false);
    onDone();
    if (keys.some((key) => path.startsWith(pathOf(key)))) go('/');
    for (const key of keys) await attempt(client.ask('session/delete', { sessionId: key }));
  };
  const icon = { size: 16, 'aria-hidden': true } as const;
  return (
    <div className="session-selection" role="toolbar" aria-label={text.selectedCount(keys.length)}>
      <p className="small">{text.selectedCount(keys.length)}</p>
      <button
        type="button"
        className="button button-plain button-icon"
        disabled={isNone}
        title={text.pin}
        aria-label={text.pin}
        onClick={() => mark('pinned')}
      >
        <Pin {...icon} />
      </button>
      <button
        type="button"
        className="button button-plain button-icon"
        disabled={isNone}
        title={areArchived ? text.unarchive : text.archive}
        aria-label={areArchived ? text.unarchive : text.archive}
        onClick={() => mark(areArchived ? undefined : 'archived')}
      >
        {areArchived ? <ArchiveRestore {...icon} /> : <Archive {...icon} />}
      </button>
      <button
        type="button"
        className="button button-plain button-icon"
        disabled={isNone}
        title={session.remove}
        aria-label={session.remove}
        onClick={() => setIsAsked(true)}
      >
        <Trash2 {...icon} />
      </button>
      <button
        type="button"
        className="button button-plain button-icon"
        title={text.cancel}
        aria-label={text.cancel}
        onClick={onDone}
      >
        <X {...icon} />
      </button>
      {isAsked && (
        <Dialog title={text.deleteSeveral(keys.length)} onClose={() => setIsAsked(false)}>
          <p>{session.removeHelp}</p>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setIsAsked(false)}>
              {session.cancel}
            </button>
            <button type="button" className="button button-danger" onClick={() => void remove()}>
              {session.removeNow}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
