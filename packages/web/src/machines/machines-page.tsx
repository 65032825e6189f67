import type { HubMachine, HubSession } from '@parley/host/hub';
import { Fragment, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { Honest } from '../parts/honest.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { pathOf } from '../sessions/session-row.tsx';
import { useText } from '../text/language.tsx';
import './machines-page.css';

/** The machines of the hub, and what each of them runs. */
export function MachinesPage(): ReactElement {
  const { machines: text } = useText();
  const { machines, sessions, isKnown } = useHub();
  return (
    <section className="page machines">
      <header>
        <h1 tabIndex={-1}>{text.title}</h1>
        <p className="soft">{text.help}</p>
      </header>
      {isKnown && machines.length === 0 && <OneMachine />}
      {machines.length > 0 && (
        <ul className="machines-list">
          {machines.map((machine) => (
            <MachineRow
              key={`${machine.name} ${String(machine.since)}`}
              machine={machine}
              sessions={[...sessions.values()].filter((session) => session.machine === machine.name)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** How each server is started; a line breaks only between these. */
const command = [
  'parley serve',
  '--store postgres://USER@HOST/DATABASE',
  '--replica NAME',
  '--workspace NAME=FOLDER',
] as const;

function OneMachine(): ReactElement {
  const { machines: text } = useText();
  return (
    <div className="machines-none">
      <h2>{text.none}</h2>
      <p>{text.noneHelp}</p>
      <p>{text.noneHow}</p>
      <pre>
        {command.map((words, index) => (
          <Fragment key={words}>
            {index > 0 && ' '}
            <span>{words}</span>
          </Fragment>
        ))}
      </pre>
    </div>
  );
}

function MachineRow({
  machine: { name, isThis, workspaces, since, silentSince, agents },
  sessions,
}: {
  readonly machine: HubMachine;
  readonly sessions: readonly HubSession[];
}): ReactElement {
  const { machines: text } = useText();
  return (
    <li className="machines-row" aria-label={name}>
      <h2>
        <Honest text={name} />
      </h2>
      <p className="small">
        {silentSince === undefined ? (
          <span className="machines-mark machines-mark-alive">{text.alive}</span>
        ) : (
          <span className="machines-mark machines-mark-silent">
            {text.lastAlive} <RelativeTime time={silentSince} />
          </span>
        )}{' '}
        {isThis && <span className="machines-mark">{text.isThis}</span>}
      </p>
      {silentSince !== undefined && <p className="soft small">{text.silentHelp}</p>}
      <dl>
        <dt>{text.since}</dt>
        <dd>
          <RelativeTime time={since} />
        </dd>
        <dt>{text.workspaces}</dt>
        <dd>
          <ul>
            {workspaces.map((workspace) => (
              <li key={workspace}>
                <Honest text={workspace} />
              </li>
            ))}
          </ul>
        </dd>
        {silentSince === undefined && agents !== undefined && (
          <>
            <dt>{text.agents}</dt>
            <dd>
              {text.agentsOf(agents.used, agents.slots)}
              <progress aria-label={text.agents} value={agents.used} max={Math.max(1, agents.slots)} />
            </dd>
          </>
        )}
        {silentSince === undefined && (
          <>
            <dt>{text.sessions}</dt>
            <dd>{sessions.length === 0 ? text.noSessions : <Sessions sessions={sessions} />}</dd>
          </>
        )}
      </dl>
    </li>
  );
}

/** Those that run there; each can be handed over on its page. */
function Sessions({ sessions }: { readonly sessions: readonly HubSession[] }): ReactElement {
  const { machines: text, sessions: words } = useText();
  return (
    <details>
      <summary>{text.sessionCount(sessions.length)}</summary>
      <ul>
        {sessions.map(({ key, title }) => (
          <li key={key}>
            <Link href={pathOf(key)}>
              <Honest text={title ?? words.untitled} />
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
