import { ListChecks } from 'lucide-react';
import { useDeferredValue, useId, useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { sessionPage } from '../limits.ts';
import { ageText } from '../parts/age.ts';
import { useNow } from '../parts/use-now.ts';
import { useFirstText, useLanguage } from '../text/language.tsx';
import { firstSessions, groupSessions, type SessionGroup } from './group-sessions.ts';
import './session-list.css';
import { pathOf, SessionRow } from './session-row.tsx';
import { SessionSelection } from './session-selection.tsx';

/** The sessions of all agents: those that need the user's input first, then pinned ones, then the others by folder. */
export function SessionList(): ReactElement {
  const { sessions: text } = useFirstText();
  const { language } = useLanguage();
  const { sessions, marks, isKnown, isObserver } = useHub();
  const [filter, setFilter] = useState<{ readonly text: string; readonly agent?: string }>({ text: '' });
  const [length, setLength] = useState(sessionPage);
  /** While sessions are selected, those that are. */
  const [selected, setSelected] = useState<ReadonlySet<string>>();
  const [path] = useLocation();
  const now = useNow(60_000);
  const wanted = useDeferredValue(filter);
  const agents = useMemo(
    () => [...new Set([...sessions.values()].map(({ agent }) => agent))].toSorted(),
    [sessions],
  );
  const groups = useMemo(
    () => groupSessions(sessions.values(), { filter: wanted, marks }),
    [sessions, wanted, marks],
  );
  const count = groups.reduce((sum, group) => sum + group.sessions.length, 0);
  const toggle = (key: string): void => {
    const others = [...(selected ?? [])].filter((other) => other !== key);
    setSelected(new Set(selected?.has(key) === true ? others : [...others, key]));
  };
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
          {!isObserver && (
            <button
              type="button"
              className="button button-plain button-icon"
              aria-pressed={selected !== undefined}
              title={text.select}
              onClick={() => setSelected(selected === undefined ? new Set() : undefined)}
            >
              <ListChecks size={16} aria-hidden />
              <span className="visually-hidden">{text.select}</span>
            </button>
          )}
        </search>
      )}
      <div className="session-list-groups">
        {firstSessions(groups, length).map((group) => (
          <Group
            key={group.id}
            group={group}
            title={group.kind === 'waiting' && isObserver ? text.waitsForAnswer : titleOf(group, text)}
          >
            {group.sessions.map((session) => (
              <SessionRow
                key={session.key}
                session={session}
                isObserver={isObserver}
                age={ageText(now - session.updatedAt, language)}
                isCurrent={path.startsWith(pathOf(session.key))}
                {...(selected !== undefined && { isSelected: selected.has(session.key), onToggle: toggle })}
              />
            ))}
          </Group>
        ))}
        {count > length && (
          <button type="button" className="button" onClick={() => setLength(length + sessionPage)}>
            {text.showMore(count - length)}
          </button>
        )}
        {isKnown && sessions.size === 0 && (
          <div className="session-list-empty small soft">
            <p>{text.none}</p>
            {!isObserver && <Link href="/">{text.startFirst}</Link>}
          </div>
        )}
        {sessions.size > 0 && count === 0 && <p className="soft small">{text.noneFits}</p>}
        {filter.text.trim() !== '' && (
          <Link className="small" href={`/search?q=${encodeURIComponent(filter.text.trim())}`}>
            {text.searchAll(filter.text.trim())}
          </Link>
        )}
      </div>
      {selected !== undefined && (
        <SessionSelection
          keys={[...selected].filter((key) => sessions.has(key))}
          onDone={() => setSelected(undefined)}
        />
      )}
    </section>
  );
}

type ListTexts = ReturnType<typeof useFirstText>['sessions'];

function titleOf({ kind, name }: SessionGroup, text: ListTexts): string {
  return kind === 'folder' ? name : text.groups[kind];
}

/** Archived sessions are folded away. */
function Group({
  group,
  title,
  children,
}: {
  readonly group: SessionGroup;
  readonly title: string;
  readonly children: ReactNode;
}): ReactElement {
  const id = useId();
  if (group.kind === 'archived') {
    return (
      <details className="session-list-archived">
        <summary className="session-list-heading">{title}</summary>
        <ul>{children}</ul>
      </details>
    );
  }
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="session-list-heading">
        <bdi>{title}</bdi>
      </h2>
      <ul>{children}</ul>
    </section>
  );
}
