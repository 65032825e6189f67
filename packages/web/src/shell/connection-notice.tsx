import { CircleAlert, LoaderCircle, LogIn, WifiOff } from 'lucide-react';
import type { ReactElement } from 'react';
import type { ConnectionState } from '../hub/hub-state.ts';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { useNow } from '../parts/use-now.ts';
import { useFirstText } from '../text/language.tsx';
import './connection-notice.css';

/** Connections that are restored within this time are not reported. */
const quietMs = 1200;

/** Time after which help for a slow connection is displayed. */
const slowMs = 6000;

/** The state of the connection, if there is a problem, with what to do about it. */
export function ConnectionNotice(): ReactElement | null {
  const { shell } = useFirstText();
  const { connection, isOutdated } = useHub();
  if (connection.state !== 'open') return <Trouble connection={connection} />;
  if (!isOutdated) return null;
  return (
    <section className="connection" aria-label={shell.connection}>
      <CircleAlert aria-hidden size={18} />
      <output>{shell.outdated}</output>
      <button type="button" className="button" onClick={() => location.reload()}>
        {shell.reload}
      </button>
    </section>
  );
}

/** The clock by which the connection is timed. */
function performanceNow(): number {
  return performance.now();
}

function Trouble({
  connection,
}: {
  readonly connection: Exclude<ConnectionState, { readonly state: 'open' }>;
}): ReactElement | null {
  const { shell } = useFirstText();
  const client = useHubClient();
  const { isKnown } = useHub();
  const now = useNow(1000, performanceNow);
  switch (connection.state) {
    case 'connecting': {
      const ms = now - connection.since;
      // Between two attempts of many, what stands below does not jump.
      if (!isKnown && ms < quietMs) return null;
      return (
        <section className="connection" aria-label={shell.connection}>
          <LoaderCircle aria-hidden size={18} />
          <output>{ms < slowMs ? shell.connecting : shell.connectingSlowly}</output>
        </section>
      );
    }
    case 'waiting':
      return (
        <section className="connection connection-bad" aria-label={shell.connection}>
          <WifiOff aria-hidden size={18} />
          <p>
            <output>{navigator.onLine ? shell.lost : shell.offline}</output>{' '}
            <span className="soft">
              {shell.retryIn(Math.max(0, Math.ceil((connection.retryAt - now) / 1000)))}
            </span>
          </p>
          <button type="button" className="button" onClick={client.reconnect}>
            {shell.retryNow}
          </button>
        </section>
      );
    case 'signed-out':
      return (
        <section className="connection connection-bad" aria-label={shell.connection}>
          <LogIn aria-hidden size={18} />
          <p role="alert">
            <strong>{shell.signedOut}</strong> {shell.signedOutHelp}
          </p>
          <a className="button button-primary" href="/sign-in" target="_blank" rel="noreferrer">
            {shell.signIn}
          </a>
          <button type="button" className="button" onClick={client.reconnect}>
            {shell.signedInAgain}
          </button>
        </section>
      );
  }
}
