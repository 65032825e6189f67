import type { ReactElement } from 'react';
import { useDesk } from '../desk/use-desk.ts';
import { useText } from '../text/language.tsx';

/** The agents that can be talked to, and those that could be. */
export function AgentsPage(): ReactElement {
  const { agents: text } = useText();
  const { agents } = useDesk();
  return (
    <section>
      <h1>{text.title}</h1>
      <ul>
        {agents.map(({ name }) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </section>
  );
}
