import type { AgentCard, HubAgent } from '@parley/host/hub';
import { CircleAlert } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { toDuration } from '../inspector/amount.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useText } from '../text/language.tsx';
import { ownText } from '../text/own-text.ts';
import { CapabilityTable } from './capability-table.tsx';
import { toFailureHints } from './failure-hints.ts';
import { OptionTable } from './option-table.tsx';
import { ProviderTable } from './provider-table.tsx';

/** Props of {@link ProbeCard}. */
export interface ProbeCardProps {
  readonly agent: HubAgent;
  readonly card: AgentCard;
  /** Called when the configuration of the agent has changed. @default it cannot be changed here */
  readonly onChanged?: () => void;
}

/** What an agent reported when it was probed, or why it could not be started. */
export function ProbeCard({ agent, card, onChanged }: ProbeCardProps): ReactElement {
  const { agents: text, own } = useText();
  const {
    time,
    startMs,
    failure,
    info,
    protocolVersion,
    capabilities,
    modes,
    configOptions = [],
    providers = [],
    log,
  } = card;
  return (
    <>
      {failure !== undefined && (
        <section className="agent-failure" aria-label={text.failed}>
          <h2>
            <CircleAlert size={16} aria-hidden /> {text.failed}
          </h2>
          <p className="failure-text">{failure}</p>
          <h3 className="small">{text.whatToDo}</h3>
          <ul className="agent-hints">
            {toFailureHints(agent, card).map((hint) => (
              <li key={hint}>{text.hints[hint]}</li>
            ))}
          </ul>
        </section>
      )}
      <dl className="agent-facts">
        {info !== undefined && (
          <Fact name={text.implementation}>
            {info.title ?? info.name} {info.version}
          </Fact>
        )}
        {protocolVersion !== undefined && (
          <Fact name={text.protocol}>{text.protocolVersion(protocolVersion)}</Fact>
        )}
        {failure === undefined && <Fact name={text.startTime}>{toDuration(startMs)}</Fact>}
        <Fact name={text.probedAt}>
          <RelativeTime time={time} />
        </Fact>
      </dl>
      {capabilities !== undefined && <CapabilityTable capabilities={capabilities} />}
      {modes !== undefined && (
        <section className="agent-part" aria-label={text.modes}>
          <h2>{text.modes}</h2>
          <ul className="agent-modes">
            {modes.availableModes.map(({ id, name, description }) => (
              <li key={id}>
                <span className="agent-mode-name">
                  {ownText(name, own)} {name !== id && <code className="soft">{id}</code>}
                  {id === modes.currentModeId && <span className="agent-mark">{text.current}</span>}
                </span>
                {description !== undefined && <span className="small soft">{ownText(description, own)}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {configOptions.length > 0 && <OptionTable options={configOptions} />}
      {providers.length > 0 && (
        <ProviderTable
          agent={agent.name}
          providers={providers}
          {...(onChanged !== undefined && { onChanged })}
        />
      )}
      <details className="agent-part" open={failure !== undefined && log !== ''}>
        <summary>{text.log}</summary>
        {log === '' ? (
          <p className="small soft">{text.logEmpty}</p>
        ) : (
          <>
            {/* It scrolls, and keys have to reach it. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <section tabIndex={0} aria-label={text.log} className="agent-log">
              <pre>{log}</pre>
            </section>
            <CopyButton text={log} label={text.copyLog} isLabelShown />
          </>
        )}
      </details>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt className="small soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
