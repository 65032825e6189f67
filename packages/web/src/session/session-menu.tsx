import { hubMethods, type HubSession } from '@parley/host/hub';
import {
  Archive,
  ArrowRightLeft,
  Download,
  Ellipsis,
  GitFork,
  PencilLine,
  Pin,
  Power,
  ScanSearch,
  Trash2,
} from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { Dialog } from '../parts/dialog.tsx';
import { later } from '../parts/later.tsx';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { useNotices } from '../parts/notices.tsx';
import { useMarkSessions } from '../sessions/use-mark-sessions.ts';
import { useText } from '../text/language.tsx';

const HandOverDialog = later(async () => (await import('../machines/hand-over-dialog.tsx')).HandOverDialog);

/** The export formats of a session. */
const formats = ['markdown', 'json', 'recording'] as const;

/** What can be done with a session as a whole. */
export function SessionMenu({
  session,
  onRename,
}: {
  readonly session: HubSession;
  readonly onRename: () => void;
}): ReactElement {
  const { session: text, sessions, machines: machineText } = useText();
  const client = useHubClient();
  const {
    isObserver,
    machines,
    marks: { pinned, archived },
  } = useHub();
  const markSessions = useMarkSessions();
  const { attempt, notify } = useNotices();
  const [, go] = useLocation();
  const [isDeleting, setIsDeleting] = useState(false);
  const [isHandingOver, setIsHandingOver] = useState(false);
  const { key, state, canFork, origin } = session;
  const path = `/sessions/${encodeURIComponent(key)}`;
  const isOpen = state !== 'kept' && state !== 'elsewhere' && state !== 'failed';
  const fork = async (): Promise<void> => {
    const params = { sessionId: key, cwd: session.cwd, mcpServers: [] };
    const { sessionId } = await client.ask<{ readonly sessionId: string }>(hubMethods.fork, params);
    go(`/sessions/${encodeURIComponent(sessionId)}`);
    notify(text.forked);
  };
  const mayChange = !isObserver && origin !== 'aap';
  const icon = { 'aria-hidden': true, size: 16 } as const;
  const items: readonly MenuItem[] = [
    ...(mayChange ? [{ label: text.rename, icon: <PencilLine {...icon} />, onChoose: onRename }] : []),
    {
      label: pinned.has(key) ? sessions.unpin : sessions.pin,
      icon: <Pin {...icon} />,
      onChoose: () => markSessions([key], pinned.has(key) ? undefined : 'pinned'),
    },
    {
      label: archived.has(key) ? sessions.unarchive : sessions.archive,
      icon: <Archive {...icon} />,
      onChoose: () => markSessions([key], archived.has(key) ? undefined : 'archived'),
    },
    ...(canFork === true && mayChange
      ? [{ label: text.fork, icon: <GitFork {...icon} />, onChoose: () => void attempt(fork()) }]
      : []),
    { label: text.inspector, icon: <ScanSearch {...icon} />, onChoose: () => go(`${path}/inspector`) },
    ...formats.map((format) => ({
      label: text.exports[format],
      icon: <Download {...icon} />,
      onChoose: () => download(`/api${path}/export?format=${format}`),
    })),
    ...(machines.length > 1 && mayChange && session.parent === undefined && state !== 'elsewhere'
      ? [
          {
            label: machineText.handOver,
            icon: <ArrowRightLeft {...icon} />,
            onChoose: () => setIsHandingOver(true),
          },
        ]
      : []),
    ...(isOpen && mayChange
      ? [{ label: text.close, icon: <Power {...icon} />, onChoose: () => void attempt(client.close(key)) }]
      : []),
    ...(state === 'elsewhere' || isObserver
      ? []
      : [
          {
            label: text.remove,
            icon: <Trash2 {...icon} />,
            isDangerous: true,
            onChoose: () => setIsDeleting(true),
          },
        ]),
  ];
  return (
    <>
      <Menu label={text.menu} icon={<Ellipsis aria-hidden size={20} />} items={items} />
      {isHandingOver && <HandOverDialog session={session} onClose={() => setIsHandingOver(false)} />}
      {isDeleting && <DeleteDialog session={session} onClose={() => setIsDeleting(false)} />}
    </>
  );
}

/** Whether an agent has the session open, and can be asked to delete it. */
function isRunning(state: HubSession['state']): boolean {
  return state === 'ready' || state === 'running' || state === 'waiting';
}

/** The server names the file; a refusal is shown in a page of its own. */
function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

function DeleteDialog({
  session: { key, title, agent, state },
  onClose,
}: {
  readonly session: HubSession;
  readonly onClose: () => void;
}): ReactElement {
  const { session: text, sessions } = useText();
  const client = useHubClient();
  const { attempt, notify } = useNotices();
  const { agents } = useHub();
  const [, go] = useLocation();
  const name = agents.find((known) => known.name === agent)?.title ?? agent;
  const [isBusy, setIsBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setIsBusy(true);
    const isDone = await attempt(client.ask('session/delete', { sessionId: key }));
    setIsBusy(false);
    onClose();
    if (!isDone) return;
    notify(text.removed);
    go('/');
  };
  return (
    <Dialog title={text.removeTitle} onClose={onClose}>
      <p>
        <strong>{title ?? sessions.untitled}</strong>
      </p>
      <p>{text.removeHelp}</p>
      <p>{isRunning(state) ? text.removeAsks(name) : text.removeLeaves(name)}</p>
      {(state === 'running' || state === 'waiting') && <p>{text.removeRunning}</p>}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {text.cancel}
        </button>
        <button
          type="button"
          className="button button-danger"
          disabled={isBusy}
          onClick={() => void remove()}
        >
          {text.removeNow}
        </button>
      </div>
    </Dialog>
  );
}
