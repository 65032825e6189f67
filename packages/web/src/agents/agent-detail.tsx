import type { HubAgent } from '@parley/host/hub';
import { ExternalLink, MessageSquarePlus, Radar } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { ConnectModel } from '../models/connect-model.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { useText } from '../text/language.tsx';
import { ownText } from '../text/own-text.ts';
import { InstallAgent } from './install-agent.tsx';
import { ProbeCard } from './probe-card.tsx';
import { RemoveAgent } from './remove-agent.tsx';
import { SignIn } from './sign-in.tsx';
import { useProbe } from './use-probe.ts';

/** The details of one agent, and its actions. */
export function AgentDetail({ agent }: { readonly agent: HubAgent }): ReactElement {
  const { agents: text, own } = useText();
  const { name, title, version, place, install, website, isDefault, description } = agent;
  const { card, state, probe, stop } = useProbe(agent);
  const { isObserver, isAdmin } = useHub();
  const canStart = place !== 'available';
  const isWanted = agent.signIn === 'needed';
  const signIn = <SignIn agent={agent} card={card} onSignedIn={probe} />;
  return (
    <article className="agent-detail" aria-label={title ?? name}>
      <header className="agent-head">
        <div>
          <h1 className="agent-name">{title ?? name}</h1>
          <p className="agent-about small soft">
            {title !== undefined && title !== name && <code>{name}</code>}
            {version !== undefined && <span>{text.version(version)}</span>}
            <span title={text.placeHelp[place]}>{text.places[place]}</span>
            {isDefault === true && <span className="agent-mark">{text.isDefault}</span>}
            {website !== undefined && isWebsite(website) && (
              <a href={website} target="_blank" rel="noopener noreferrer nofollow">
                {text.website} <ExternalLink size={12} aria-hidden />
              </a>
            )}
          </p>
          {description !== undefined && <p>{ownText(description, own)}</p>}
        </div>
        {canStart && !isObserver && (
          <div className="agent-acts">
            <Link href={`/?agent=${encodeURIComponent(name)}`} className="button button-primary">
              <MessageSquarePlus size={16} aria-hidden />
              {text.newSession}
            </Link>
            {isAdmin && (
              <button type="button" className="button" disabled={state.kind === 'running'} onClick={probe}>
                <Radar size={16} aria-hidden />
                {card === undefined ? text.probe : text.probeAgain}
              </button>
            )}
            {isAdmin && place === 'own' && <ConnectModel />}
            {isAdmin && agent.canRemove === true && <RemoveAgent agent={agent} />}
          </div>
        )}
      </header>
      {!canStart && (
        <section className="agent-part" aria-label={text.install}>
          {agent.canInstall === true && isAdmin && (
            <>
              <p>{text.useItHelp}</p>
              <InstallAgent agent={agent} onInstalled={probe} isPrimary />
            </>
          )}
          <h2>{agent.canInstall === true && isAdmin ? text.orByHand : text.install}</h2>
          {install !== undefined && (
            <>
              <div className="agent-command">
                <code>{install}</code>
                <CopyButton text={install} label={text.copyInstall} />
              </div>
              <p className="small soft">{text.installHelp}</p>
            </>
          )}
          {install === undefined && <p className="soft">{text.placeHelp.available}</p>}
        </section>
      )}
      {canStart && (
        <>
          {isObserver && <p className="agent-part soft">{text.observer}</p>}
          {state.kind === 'running' && (
            <p className="agent-probing">
              <output>{text.probing(state.seconds)}</output>
              <button type="button" className="button button-plain" onClick={stop}>
                {text.stopProbing}
              </button>
            </p>
          )}
          {state.kind === 'refused' && (
            <p className="agent-failure" role="alert">
              {state.message}
            </p>
          )}
          {card === undefined && state.kind !== 'running' && (
            <p className="agent-part soft">
              {text.neverProbed} {isAdmin && text.probeHelp}
            </p>
          )}
          {isWanted && signIn}
          {card !== undefined && (
            <ProbeCard agent={agent} card={card} {...(isAdmin && { onChanged: probe })} />
          )}
          {!isWanted && signIn}
        </>
      )}
    </article>
  );
}

function isWebsite(address: string): boolean {
  return URL.canParse(address) && /^https?:$/u.test(new URL(address).protocol);
}
