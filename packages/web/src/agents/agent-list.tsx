import type { HubAgent } from '@parley/host/hub';
import { CircleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useText } from '../text/language.tsx';
import { ownText } from '../text/own-text.ts';
import { groupAgents } from './agent-order.ts';

/** Agents to choose from. */
export interface AgentListProps {
  readonly agents: readonly HubAgent[];
  readonly chosen: string | undefined;
}

/** The agents grouped by availability, each with a link to its details. */
export function AgentList({ agents, chosen }: AgentListProps): ReactElement {
  const { agents: text, own } = useText();
  return (
    <nav aria-label={text.title} className="agent-groups">
      {groupAgents(agents).map(({ place, agents: found }) => (
        <section key={place} aria-label={text.places[place]}>
          <h2 className="small soft">{text.places[place]}</h2>
          <ul>
            {found.map((agent) => (
              <li key={agent.name}>
                <Link
                  href={`/agents/${encodeURIComponent(agent.name)}`}
                  className="agent-link"
                  {...(agent.name === chosen && { 'aria-current': 'page' })}
                >
                  <span className="agent-link-name">{agent.title ?? agent.name}</span>
                  {agent.isDefault === true && <span className="agent-mark">{text.isDefault}</span>}
                  {agent.card?.failure !== undefined && (
                    <span className="agent-mark agent-mark-bad">
                      <CircleAlert size={12} aria-hidden />
                      {text.failed}
                    </span>
                  )}
                  {text.signInShort[agent.signIn] !== '' && (
                    <span className={agent.signIn === 'needed' ? 'agent-mark agent-mark-warn' : 'agent-mark'}>
                      {text.signInShort[agent.signIn]}
                    </span>
                  )}
                  {agent.description !== undefined && (
                    <span className="agent-link-text small soft">{ownText(agent.description, own)}</span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
