import { agentMethods, type AgentCard, type HubAgent } from '@parley/host/hub';
import { useState, type ReactElement } from 'react';
import { SignInWay } from '../elicitation/sign-in-way.tsx';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { useNotices } from '../parts/notices.tsx';
import { useText } from '../text/language.tsx';

/** Whom to sign in to. */
export interface SignInProps {
  readonly agent: HubAgent;
  readonly card: AgentCard | undefined;
  readonly onSignedIn: () => void;
}

/** Whether the user is signed in to an agent, and the ways to sign in. */
export function SignIn({ agent, card, onSignedIn }: SignInProps): ReactElement {
  const { agents: text } = useText();
  const client = useHubClient();
  const { isAdmin } = useHub();
  const { attempt, notify } = useNotices();
  const [isBusy, setIsBusy] = useState(false);
  const methods = card?.signInMethods ?? [];
  const signIn = async (methodId: string, values?: Readonly<Record<string, string>>): Promise<void> => {
    setIsBusy(true);
    const isDone = await attempt(
      client.ask(agentMethods.signIn, {
        agent: agent.name,
        methodId,
        ...(values !== undefined && { values }),
      }),
    );
    setIsBusy(false);
    if (!isDone) return;
    notify(text.signedIn(agent.title ?? agent.name));
    onSignedIn();
  };
  return (
    <section className="agent-part" aria-label={text.signIn}>
      <h2>{text.signIn}</h2>
      <p>{text.signInStates[agent.signIn]}</p>
      {agent.accounts !== undefined && (
        <ul className="agent-modes" aria-label={text.accounts}>
          {agent.accounts.map(({ label, active, name, email, organization }) => (
            <li key={[label, email, organization].join(' ')}>
              <span className="agent-mode-name">
                {label}
                {active === true && <span className="agent-mark">{text.current}</span>}
              </span>
              <span className="small soft">{[name, email, organization].filter(Boolean).join(' · ')}</span>
            </li>
          ))}
        </ul>
      )}
      {card !== undefined && methods.length === 0 && agent.signIn === 'needed' && (
        <p className="soft">{text.noSignInMethods}</p>
      )}
      {methods.length > 0 && isAdmin && (
        <ul className="agent-sign-ins" aria-label={text.signInMethods}>
          {methods.map((method) => (
            <li key={method.id}>
              <SignInWay
                agent={agent.name}
                method={method}
                command={card?.signInCommands?.[method.id]}
                isBusy={isBusy}
                onSignIn={(values) => void signIn(method.id, values)}
              />
            </li>
          ))}
        </ul>
      )}
      <output className="small soft">{isBusy && text.signingIn}</output>
    </section>
  );
}
