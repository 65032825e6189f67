import type { HubAgent } from '@parley/host/hub';
import { useId, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { later } from '../parts/later.tsx';
import { useFirstText } from '../text/language.tsx';
import { startable } from './start-choice.ts';
import './agent-choice.css';

const InstallAgent = later(async () => (await import('../agents/install-agent.tsx')).InstallAgent);

/** Props of {@link AgentChoice}. */
export interface AgentChoiceProps {
  readonly agents: readonly HubAgent[];
  readonly chosen: HubAgent | undefined;
  readonly onChoose: (name: string) => void;
}

/** Chooses the agent of a new session, with a link to install others. */
export function AgentChoice({ agents, chosen, onChoose }: AgentChoiceProps): ReactElement {
  const { sessions: text } = useFirstText();
  const { isAdmin } = useHub();
  const name = useId();
  const others = agents.filter(({ place }) => place === 'available');
  return (
    <fieldset className="agent-choice">
      <legend>{text.withAgent}</legend>
      <div className="agent-choice-cards">
        {startable(agents).map((agent) => (
          <label key={agent.name} className="agent-card">
            <input
              type="radio"
              name={name}
              checked={agent.name === chosen?.name}
              onChange={() => onChoose(agent.name)}
            />
            <span className="agent-card-name">{agent.title ?? agent.name}</span>
            <span className="agent-card-about small soft">
              {[agent.version, text.places[agent.place], text.signIn[agent.signIn]]
                .filter((part) => part !== undefined && part !== '')
                .join(' · ')}
            </span>
          </label>
        ))}
      </div>
      {others.length > 0 && (
        <details className="agent-choice-others">
          <summary>{text.otherAgents(others.length)}</summary>
          <ul>
            {others.map((agent) => {
              const { name: id, title, install, website } = agent;
              return (
                <li key={id}>
                  <span>
                    {website === undefined ? (
                      (title ?? id)
                    ) : (
                      <a href={website} target="_blank" rel="noopener noreferrer nofollow">
                        {title ?? id}
                      </a>
                    )}
                  </span>
                  {agent.canInstall === true && isAdmin ? (
                    <InstallAgent agent={agent} onInstalled={() => onChoose(id)} />
                  ) : (
                    install !== undefined && <code>{install}</code>
                  )}
                </li>
              );
            })}
          </ul>
          <p>
            <Link href="/agents">{text.moreAboutAgents}</Link>
          </p>
        </details>
      )}
    </fieldset>
  );
}
