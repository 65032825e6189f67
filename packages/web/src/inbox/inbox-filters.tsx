import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { useText } from '../text/language.tsx';
import { agentsOf, type InboxChoice } from './question-order.ts';

/** What is chosen, and how it is changed. */
export interface InboxFiltersProps {
  readonly choice: InboxChoice;
  /** The only session that is shown, where there is one. */
  readonly session: string | null;
  readonly onChange: (choice: InboxChoice) => void;
}

const kinds = ['permission', 'elicitation', 'sign-in'] as const;

/** Chooses what of the inbox is shown, and in which order. */
export function InboxFilters({ choice, session, onChange }: InboxFiltersProps): ReactElement {
  const { inbox } = useText();
  const { questions, sessions } = useHub();
  const agents = agentsOf(questions, sessions);
  const { order, kind, agent } = choice;
  return (
    <search className="inbox-filters small">
      <label>
        {inbox.order}
        <select
          className="field"
          value={order}
          onChange={({ target }) =>
            onChange({ ...choice, order: target.value === 'risk' ? 'risk' : 'oldest' })
          }
        >
          <option value="oldest">{inbox.oldestFirst}</option>
          <option value="risk">{inbox.riskFirst}</option>
        </select>
      </label>
      <label>
        {inbox.what}
        <select
          className="field"
          value={kind ?? ''}
          onChange={({ target }) => {
            const wanted = kinds.find((known) => known === target.value);
            onChange({
              order,
              ...(agent !== undefined && { agent }),
              ...(wanted !== undefined && { kind: wanted }),
            });
          }}
        >
          <option value="">{inbox.all}</option>
          {kinds.map((known) => (
            <option key={known} value={known}>
              {inbox.questionKinds[known]}
            </option>
          ))}
        </select>
      </label>
      {(agents.length > 1 || agent !== undefined) && (
        <label>
          {inbox.agent}
          <select
            className="field"
            value={agent ?? ''}
            onChange={({ target: { value } }) =>
              onChange({ order, ...(kind !== undefined && { kind }), ...(value !== '' && { agent: value }) })
            }
          >
            <option value="">{inbox.all}</option>
            {agents.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      {session !== null && (
        <Link href="/inbox" className="button">
          {inbox.allSessions}
        </Link>
      )}
    </search>
  );
}
