import type { HubSession } from '@parley/host/hub';
import { at, titleOf, type SessionState } from '@parley/host/state';
import { Folder, PencilLine } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { ChangesButton } from '../changes/changes-button.tsx';
import { useHub, useHubClient, useLiveNow } from '../hub/use-hub.ts';
import { titleLength } from '../limits.ts';
import { formatDuration } from '../parts/format-duration.ts';
import { later } from '../parts/later.tsx';
import { useNotices } from '../parts/notices.tsx';
import { plainTitle } from '../parts/plain-title.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { SessionStatus } from '../sessions/session-status.tsx';
import { useLanguage, useText } from '../text/language.tsx';
import { SessionMenu } from './session-menu.tsx';
import './session-head.css';

const SandboxBadge = later(async () => (await import('./sandbox-badge.tsx')).SandboxBadge);

const MachineBadge = later(async () => (await import('../machines/machine-badge.tsx')).MachineBadge);

/** What the head of a session shows. */
export interface SessionHeadProps {
  readonly sessionKey: string;
  readonly session: HubSession | undefined;
  readonly view: SessionState;
}

/** The title of a session, its agent, and the actions for the whole session. */
export function SessionHead({ sessionKey, session, view }: SessionHeadProps): ReactElement {
  const { session: text, sessions } = useText();
  const { agents, machines, isObserver } = useHub();
  const [isRenaming, setIsRenaming] = useState(false);
  const title = session?.title ?? titleOf(view);
  const name = session?.agent ?? view.agent?.name;
  const agent = agents.find((known) => known.name === name)?.title ?? name;
  const cwd = session?.cwd ?? view.cwd;
  const { sandbox } = view;
  return (
    <header className="session-head">
      <div className="session-head-names">
        {isRenaming ? (
          <Rename sessionKey={sessionKey} title={title ?? ''} onDone={() => setIsRenaming(false)} />
        ) : (
          <div className="session-head-title">
            <h1>
              <bdi>{title === undefined ? sessions.untitled : plainTitle(title)}</bdi>
            </h1>
            {session !== undefined && !isObserver && session.origin !== 'aap' && (
              <button
                type="button"
                className="button button-plain button-icon"
                title={text.rename}
                onClick={() => setIsRenaming(true)}
              >
                <PencilLine aria-hidden size={16} />
                <span className="visually-hidden">{text.rename}</span>
              </button>
            )}
          </div>
        )}
        <p className="session-head-about small soft">
          {session !== undefined && <SessionStatus session={session} isObserver={isObserver} />}
          {session !== undefined && <StateTime session={session} view={view} />}
          {session?.origin === 'aap' && <span className="session-mark">{sessions.application}</span>}
          {sandbox !== undefined && <SandboxBadge {...sandbox} />}
          {session?.machine !== undefined && machines.length > 1 && <MachineBadge name={session.machine} />}
          {agent !== undefined && <span>{agent}</span>}
          {cwd !== undefined && (
            <span className="session-head-folder" title={cwd}>
              <Folder aria-hidden size={14} />
              <span className="visually-hidden">{text.folder}</span>
              <span className="session-head-path">
                {session?.worktree === undefined ? (
                  <bdi dir="ltr">{cwd}</bdi>
                ) : (
                  <Link href={`/worktrees/${encodeURIComponent(session.worktree.name)}`}>
                    {sessions.worktree(session.worktree.name)}
                  </Link>
                )}
              </span>
            </span>
          )}
        </p>
      </div>
      {session !== undefined && <ChangesButton />}
      {session !== undefined && <SessionMenu session={session} onRename={() => setIsRenaming(true)} />}
    </header>
  );
}

/** Since when it is so: a turn that runs has a clock, the others a time. */
function StateTime({
  session: { state, updatedAt },
  view,
}: {
  readonly session: HubSession;
  readonly view: SessionState;
}): ReactElement {
  const turn = at(view.turns, view.turns.length - 1);
  const isBusy = state === 'running' || state === 'waiting' || state === 'stopping';
  return isBusy && turn?.state === 'running' ? (
    <Elapsed since={turn.startedAt} />
  ) : (
    <RelativeTime time={updatedAt} />
  );
}

function Elapsed({ since }: { readonly since: number }): ReactElement {
  const { language } = useLanguage();
  const now = useLiveNow(1000);
  return (
    <span className="session-head-clock">
      {formatDuration(Math.max(0, Math.round((now - since) / 1000)) * 1000, language)}
    </span>
  );
}

function Rename({
  sessionKey,
  title,
  onDone,
}: {
  readonly sessionKey: string;
  readonly title: string;
  readonly onDone: () => void;
}): ReactElement {
  const { session: text } = useText();
  const client = useHubClient();
  const { attempt } = useNotices();
  const [typed, setTyped] = useState(title);
  const rename = async (): Promise<void> => {
    const wanted = typed.trim();
    const isDone =
      wanted === title || (await attempt(client.rename(sessionKey, wanted === '' ? undefined : wanted)));
    if (isDone) onDone();
  };
  return (
    <form
      className="session-head-rename"
      onSubmit={(event) => {
        event.preventDefault();
        void rename();
      }}
    >
      <h1 className="visually-hidden">{title}</h1>
      <input
        className="field"
        // Who chose to rename wants to type.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-label={text.newTitle}
        placeholder={text.newTitleHelp}
        maxLength={titleLength}
        value={typed}
        onFocus={({ target }) => target.select()}
        onChange={({ target: { value } }) => setTyped(value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onDone();
        }}
      />
      <button className="button button-primary">{text.save}</button>
      <button type="button" className="button" onClick={onDone}>
        {text.cancel}
      </button>
    </form>
  );
}
