import type { AgentCard, DeskAgent } from '@parley/host/desk';
import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';

/** Whom to sign in to. */
export interface SignInProps {
  readonly agent: DeskAgent;
  readonly card: AgentCard | undefined;
}

/** Whether somebody is signed in to an agent, and the ways to do it. */
export function SignIn({ agent, card }: SignInProps): ReactElement {
  const { agents: text } = useText();
  const methods = card?.signInMethods ?? [];
  return (
    <section className="agent-part" aria-label={text.signIn}>
      <h2>{text.signIn}</h2>
      <p>{text.signInStates[agent.signIn]}</p>
      {card !== undefined && methods.length === 0 && agent.signIn === 'needed' && (
        <p className="soft">{text.noSignInMethods}</p>
      )}
      {methods.length > 0 && (
        <ul className="agent-sign-ins" aria-label={text.signInMethods}>
          {methods.map((method) => (
            <li key={method.id}>
              {method.name} <span className="small soft">{method.description}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
