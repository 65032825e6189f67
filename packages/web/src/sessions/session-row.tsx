import type { HubSession } from '@parley/host/hub';
import { memo, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useFirstText } from '../text/language.tsx';
import { SessionStatus } from './session-status.tsx';

/** A session, and how its row is shown. */
export interface SessionRowProps {
  readonly session: HubSession;
  readonly isObserver: boolean;
  readonly age: string;
  readonly isCurrent: boolean;
  /** While sessions are selected, whether this one is. */
  readonly isSelected?: boolean;
  readonly onToggle?: (key: string) => void;
}

/** A session in one line: its agent, its title, and its state, open questions or age. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps): ReactElement {
  const { session, isCurrent, isSelected, onToggle } = props;
  const { key } = session;
  return (
    <li className={session.parent === undefined ? 'session-row' : 'session-row session-row-delegate'}>
      {onToggle === undefined ? (
        <Link href={pathOf(key)} className="session-row-link" aria-current={isCurrent ? 'page' : undefined}>
          <RowContent {...props} />
        </Link>
      ) : (
        <label className="session-row-link">
          <input type="checkbox" checked={isSelected === true} onChange={() => onToggle(key)} />
          <RowContent {...props} />
        </label>
      )}
    </li>
  );
});

function RowContent({ session, isObserver, age }: SessionRowProps): ReactElement {
  const { sessions: text } = useFirstText();
  const { title, agent, questions, origin } = session;
  return (
    <>
      <span className="agent-badge" title={agent} aria-hidden>
        {(Array.from(agent)[0] ?? '').toUpperCase()}
      </span>
      <span className="session-row-title">
        <bdi>{title ?? text.untitled}</bdi>
      </span>
      {origin === 'aap' && <span className="session-mark small">{text.application}</span>}
      <SessionStatus session={session} isObserver={isObserver} isShort />
      {questions > 0 ? (
        <span className="count" aria-label={text.questions(questions)}>
          {questions}
        </span>
      ) : (
        <span className="session-row-age small soft">{age}</span>
      )}
    </>
  );
}

/** The page of a session. */
export function pathOf(key: string): string {
  return `/sessions/${encodeURIComponent(key)}`;
}
