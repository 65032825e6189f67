import type { HubSession } from '@parley/host/hub';
import { memo, useDeferredValue, useId, useMemo, useState, type ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { sessionPage } from '../limits.ts';
import { ageText } from '../parts/age.ts';
import { useNow } from '../parts/use-now.ts';
import { useLanguage, useFirstText } from '../text/language.tsx';
import { firstSessions, groupSessions } from './group-sessions.ts';
import './session-list.css';
import { SessionStatus } from './session-status.tsx';

/** The sessions of all agents: those that wait for the user first, the others by day. */
export function SessionList(): ReactElement {
  const { sessions: text } = useFirstText();
  const { language } = useLanguage();
  const { sessions, isKnown, isObserver } = useHub();
  const [filter, setFilter] = useState<{ readonly text: string; readonly agent?: string }>({ text: '' });
  const [length, setLength] = useState(sessionPage);
  const [path] = useLocation();
  const now = useNow(60_000);
  const wanted = useDeferredValue(filter);
  const agents = useMemo(
    () => [...new Set([...sessions.values()].map(({ agent }) => agent))].toSorted(),
    [sessions],
  );
  const groups = useMemo(
    () => groupSessions(sessions.values(), { now, filter: wanted }),
    [sessions, now, wanted],
  );
  const count = groups.reduce((sum, group) => sum + group.sessions.length, 0);
  return (
    <section className="session-list" aria-label={text.title}>
      {sessions.size > 0 && (
        <search className="session-list-filter">
          <input
            type="search"
            className="field"
            aria-label={text.filter}
            placeholder={text.filter}
            value={filter.text}
            onChange={({ target: { value } }) => setFilter({ ...filter, text: value })}
          />
          {agents.length > 1 && (
            <select
              className="field"
              aria-label={text.agent}
              value={filter.agent ?? ''}
              onChange={({ target: { value } }) =>
                setFilter({ text: filter.text, ...(value !== '' && { agent: value }) })
              }
            >
              <option value="">{text.allAgents}</option>
              {agents.map((agent) => (
                <option key={agent}>{agent}</option>
              ))}
            </select>
          )}
        </search>
      )}
      <div className="session-list-groups">
        {firstSessions(groups, length).map((group) => (
          <Group
            key={group.name}
            title={isObserver && group.name === 'waiting' ? text.waitsForAnswer : text.groups[group.name]}
          >
            {group.sessions.map((session) => (
              <Row
                key={session.key}
                session={session}
                isObserver={isObserver}
                age={ageText(now - session.updatedAt, language)}
                isCurrent={path.startsWith(pathOf(session.key))}
              />
            ))}
          </Group>
        ))}
        {count > length && (
          <button type="button" className="button" onClick={() => setLength(length + sessionPage)}>
            {text.showMore(count - length)}
          </button>
        )}
        {isKnown && sessions.size === 0 && <p className="soft small">{text.none}</p>}
        {sessions.size > 0 && count === 0 && <p className="soft small">{text.noneFits}</p>}
        {filter.text.trim() !== '' && (
          <Link className="small" href={`/search?q=${encodeURIComponent(filter.text.trim())}`}>
            {text.searchAll(filter.text.trim())}
          </Link>
        )}
      </div>
    </section>
  );
}

function Group({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactElement[];
}): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="session-list-heading">
        {title}
      </h2>
      <ul>{children}</ul>
    </section>
  );
}

interface RowProps {
  readonly session: HubSession;
  readonly isObserver: boolean;
  readonly age: string;
  readonly isCurrent: boolean;
}

const Row = memo(function Row({ session, isObserver, age, isCurrent }: RowProps): ReactElement {
  const { sessions: text } = useFirstText();
  const { key, title, agent, questions, origin } = session;
  return (
    <li className="session-row">
      <Link href={pathOf(key)} className="session-row-link" aria-current={isCurrent ? 'page' : undefined}>
        <span className="session-row-title">{title ?? text.untitled}</span>
        {questions > 0 && (
          <span className="count" aria-label={text.questions(questions)}>
            {questions}
          </span>
        )}
        {origin === 'aap' && <span className="session-mark small">{text.application}</span>}
        <span className="session-row-about small soft">
          <SessionStatus session={session} isObserver={isObserver} />
          <span className="session-row-agent">{agent}</span>
          <span className="session-row-age">{age}</span>
        </span>
      </Link>
    </li>
  );
});

function pathOf(key: string): string {
  return `/sessions/${encodeURIComponent(key)}`;
}
