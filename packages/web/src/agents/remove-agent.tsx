import { agentMethods, type HubAgent } from '@parley/host/hub';
import { Trash2 } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useHubClient } from '../hub/use-hub.ts';
import { useNotices } from '../parts/notices.tsx';
import { useText } from '../text/language.tsx';

/** Removes an agent from the user's configuration; it is asked for twice. */
export function RemoveAgent({ agent: { name, title = name } }: { readonly agent: HubAgent }): ReactElement {
  const { agents: text } = useText();
  const client = useHubClient();
  const { attempt, notify } = useNotices();
  const [isAsked, setIsAsked] = useState(false);
  const remove = async (): Promise<void> => {
    if (await attempt(client.ask(agentMethods.remove, { agent: name }))) notify(text.removed(title));
    setIsAsked(false);
  };
  return (
    <button
      type="button"
      className="button button-plain"
      onBlur={() => setIsAsked(false)}
      onClick={() => {
        if (isAsked) void remove();
        else setIsAsked(true);
      }}
    >
      <Trash2 size={16} aria-hidden />
      {isAsked ? text.removeNow : text.remove}
    </button>
  );
}
