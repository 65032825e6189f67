import { hubMethods, type AgentRestart, type HubSession } from '@parley/host/hub';
import type { SessionState } from '@parley/host/state';
import { CircleAlert, CirclePause, Eye, LoaderCircle } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { describeAgentEnd } from '../conversation/agent-end.ts';
import type { SessionFeed } from '../hub/session-feed.ts';
import { useHub, useHubClient, useLiveNow } from '../hub/use-hub.ts';
import { shownLog } from '../limits.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { later } from '../parts/later.tsx';
import { useNotices } from '../parts/notices.tsx';
import './session-notice.css';
import { useText } from '../text/language.tsx';
import { unfinishedOf } from './unfinished.ts';

const MissingFolder = later(async () => (await import('../machines/missing-folder.tsx')).MissingFolder);

/** Props of {@link SessionNotice}. */
export interface SessionNoticeProps {
  readonly session: HubSession;
  readonly feed: SessionFeed;
}

/** Why a session cannot accept a prompt now, and what to do about it. */
export function SessionNotice({ session, feed }: SessionNoticeProps): ReactElement | null {
  const { session: text, sessions, machines: machineText } = useText();
  const client = useHubClient();
  const { agents, machines, isObserver } = useHub();
  const { attempt } = useNotices();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (task: Promise<unknown>): Promise<void> => {
    setIsBusy(true);
    await attempt(task);
    setIsBusy(false);
  };
  const agent = agents.find(({ name }) => name === session.agent);
  const name = agent?.title ?? session.agent;
  const isGone = agents.length > 0 && (agent === undefined || agent.place === 'available');
  switch (session.state) {
    case 'ready':
    case 'running':
    case 'waiting':
    case 'stopping':
      return null;
    case 'kept': {
      if (session.origin === 'aap') return null;
      const paused = (
        <section className="session-notice" aria-label={text.state}>
          <CirclePause aria-hidden size={18} />
          <p>{isGone ? text.agentGone(name) : text.kept}</p>
          {isGone && (
            <Link className="button" href="/agents">
              {text.toAgents}
            </Link>
          )}
          {!isGone && !isObserver && (
            <button
              type="button"
              className="button"
              disabled={isBusy}
              onClick={() => void run(client.resume(session.key))}
            >
              {text.resume}
            </button>
          )}
        </section>
      );
      if (machines.length === 0) return paused;
      return (
        <MissingFolder waiting={paused} sessionKey={session.key}>
          {paused}
        </MissingFolder>
      );
    }
    case 'elsewhere':
      return (
        <section className="session-notice" aria-label={text.state}>
          <Eye aria-hidden size={18} />
          <p>{machines.length > 1 ? machineText.elsewhere : text.elsewhere}</p>
        </section>
      );
    case 'starting':
      return session.restart === undefined ? (
        <section className="session-notice" aria-label={text.state}>
          <LoaderCircle aria-hidden size={18} className="session-state-turning" />
          <p>
            <output>
              {session.waitsBehind === undefined
                ? text.starting(name)
                : sessions.waitsBehind(name, session.waitsBehind)}
            </output>{' '}
            <Seconds since={session.updatedAt} />
          </p>
          <Log log={feed.log} isOpen />
        </section>
      ) : (
        <section className="session-notice session-notice-bad" aria-label={text.state}>
          <LoaderCircle aria-hidden size={18} className="session-state-turning" />
          <div>
            <HowItEnded view={feed.view} />
            <Restart restart={session.restart} name={name} />
            <InFlight view={feed.view} />
          </div>
          <Log log={feed.log} isOpen />
        </section>
      );
    case 'failed':
      return (
        <section className="session-notice session-notice-bad" aria-label={text.state}>
          <CircleAlert aria-hidden size={18} />
          <div>
            <p role="alert">
              <strong>{text.failed(name)}</strong> {session.failure}
            </p>
            <HowItEnded view={feed.view} />
            <InFlight view={feed.view} />
            <p className="soft">{text.restartHelp}</p>
          </div>
          {!isObserver && session.origin !== 'aap' && (
            <button
              type="button"
              className="button button-primary"
              disabled={isBusy}
              onClick={() => void run(client.ask(hubMethods.restart, { sessionId: session.key }))}
            >
              {text.restart}
            </button>
          )}
          <Log log={feed.log} isOpen />
        </section>
      );
  }
}

/** How the agent ended, where it ended by itself. */
function HowItEnded({ view }: { readonly view: SessionState }): ReactElement | null {
  const { conversation: text } = useText();
  const { end } = unfinishedOf(view);
  return end === undefined ? null : <p>{describeAgentEnd(end, text)}</p>;
}

/** What is done about it, and when. The seconds are not read out. */
function Restart({
  restart: { attempt, attempts, at },
  name,
}: {
  readonly restart: AgentRestart;
  readonly name: string;
}): ReactElement {
  const { session: text } = useText();
  const left = Math.ceil((at - useLiveNow(1000)) / 1000);
  return (
    <p>
      <output>{(left > 0 ? text.startsAgain : text.startingAgain)(name, attempt, attempts)}</output>{' '}
      {left > 0 && <span className="soft">{text.inSeconds(left)}</span>}
    </p>
  );
}

/** What it was doing, with an unknown outcome. */
function InFlight({ view }: { readonly view: SessionState }): ReactElement {
  const { session: text } = useText();
  const { isTurn, calls } = unfinishedOf(view);
  return (
    <>
      {isTurn && <p>{text.inFlight}</p>}
      {calls.length > 0 && (
        <>
          <p>{text.unknownCalls}</p>
          <ul className="session-notice-calls">
            {calls.map((title, index) => (
              // Two calls may have the same title.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={`${index} ${title}`}>{title}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Seconds({ since }: { readonly since: number }): ReactElement {
  const { session: text } = useText();
  const now = useLiveNow(1000);
  return <span className="soft">{text.seconds(Math.max(0, Math.round((now - since) / 1000)))}</span>;
}

function Log({
  log,
  isOpen = false,
}: {
  readonly log: string;
  readonly isOpen?: boolean;
}): ReactElement | null {
  const { session: text } = useText();
  if (log.trim() === '') return null;
  return (
    <details className="session-notice-log" open={isOpen}>
      <summary>{text.log}</summary>
      {/* It can be scrolled, also with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={text.log}>
        {log.slice(-shownLog)}
      </pre>
      <CopyButton text={log} label={text.copyLog} isLabelShown />
    </details>
  );
}
