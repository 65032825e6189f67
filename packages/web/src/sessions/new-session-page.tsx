import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { useDesk, useDeskClient } from '../desk/use-desk.ts';
import { useNotices } from '../parts/notices.tsx';
import { useFirstText } from '../text/language.tsx';

/** Where a session begins: with which agent, in which folder. */
export function NewSessionPage(): ReactElement {
  const { shell } = useFirstText();
  const client = useDeskClient();
  const { agents, workspaces } = useDesk();
  const { attempt } = useNotices();
  const [, go] = useLocation();
  const begin = async (agent: string): Promise<void> => {
    const key = await client.newSession(workspaces[0] ?? '/', { 'parley/agent': agent });
    go(`/sessions/${encodeURIComponent(key)}`);
  };
  return (
    <section>
      <h1>{shell.newSession}</h1>
      {agents.map(({ name, title }) => (
        <button key={name} type="button" className="button" onClick={() => void attempt(begin(name))}>
          {title ?? name}
        </button>
      ))}
    </section>
  );
}
