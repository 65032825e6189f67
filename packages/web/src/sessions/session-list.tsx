import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useDesk } from '../desk/use-desk.ts';

/** The sessions of all agents, those where something happened last first. */
export function SessionList(): ReactElement {
  const { sessions } = useDesk();
  const sorted = [...sessions.values()].toSorted((left, right) => right.updatedAt - left.updatedAt);
  return (
    <ul>
      {sorted.map(({ key, title, agent, state }) => (
        <li key={key}>
          <Link href={`/sessions/${encodeURIComponent(key)}`}>{title ?? agent}</Link>{' '}
          <span className="soft small">{state}</span>
        </li>
      ))}
    </ul>
  );
}
