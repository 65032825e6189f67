import { agentMethods, type HubAgent } from '@parley/host/hub';
import { Download } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { useNow } from '../parts/use-now.ts';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';

/** Which agent is installed. */
export interface InstallAgentProps {
  readonly agent: HubAgent;
  readonly onInstalled: () => void;
  /** It is the main action of its page. @default one of several */
  readonly isPrimary?: boolean;
}

/** Installs the package of an agent, in the version that Parley was tried with. */
export function InstallAgent({
  agent,
  onInstalled,
  isPrimary = false,
}: InstallAgentProps): ReactElement | null {
  const { agents: text, shell } = useText();
  const client = useHubClient();
  const { isAdmin } = useHub();
  const [failure, setFailure] = useState<string>();
  const { name, title = name, installing } = agent;
  if (agent.canInstall !== true || !isAdmin) return null;
  const install = async (): Promise<void> => {
    setFailure(undefined);
    try {
      await client.ask(agentMethods.install, { agent: name });
      onInstalled();
    } catch (error) {
      setFailure(failureText(error, shell));
    }
  };
  return (
    <div className="agent-install">
      {installing === undefined ? (
        <button
          type="button"
          className={isPrimary ? 'button button-primary' : 'button'}
          onClick={() => void install()}
        >
          <Download size={16} aria-hidden />
          {text.useIt}
          <span className="visually-hidden"> {title}</span>
        </button>
      ) : (
        <Installing
          since={installing.since}
          fetched={installing.fetched}
          onCancel={() => void client.ask(agentMethods.cancelInstall, { agent: name }).catch(() => undefined)}
        />
      )}
      {installing === undefined && failure !== undefined && (
        <p className="failure-text" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}

/** How far an installation is. */
function Installing({
  since,
  fetched,
  onCancel,
}: {
  readonly since: number;
  readonly fetched: number;
  readonly onCancel: () => void;
}): ReactElement {
  const { agents: text } = useText();
  const now = useNow(1000);
  const seconds = Math.max(0, Math.round((now - since) / 1000));
  return (
    <p className="agent-probing">
      <progress aria-label={text.installing} />
      <output>{text.installed(fetched, seconds)}</output>
      <button type="button" className="button button-plain" onClick={onCancel}>
        {text.cancel}
      </button>
    </p>
  );
}
