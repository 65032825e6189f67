import type { ContentBlock } from '@parley/acp';
import type { AgentCard, HubAgent } from '@parley/host/hub';
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { findFilesIn } from '../completion/find-files.ts';
import { askApi } from '../hub/api.ts';
import { useHub } from '../hub/use-hub.ts';
import { shownFirstLog } from '../limits.ts';
import { ConnectModel } from '../models/connect-model.tsx';
import { later } from '../parts/later.tsx';
import { PromptEditor, type PromptEditorHandle } from '../prompt/prompt-editor.tsx';
import { toSettings } from '../session-settings/setting.ts';
import { SettingsBar } from '../session-settings/settings-bar.tsx';
import { useText } from '../text/language.tsx';
import { withChoices, type StartSettings } from './start-choice.ts';

const SignIn = later(async () => (await import('../agents/sign-in.tsx')).SignIn);

/** Props of {@link FirstPrompt}. */
export interface FirstPromptProps {
  readonly agent: HubAgent;
  readonly cwd: string;
  readonly settings: StartSettings;
  readonly onSettings: (settings: StartSettings) => void;
  readonly onSend: (blocks: readonly ContentBlock[], card: AgentCard | undefined) => Promise<void>;
}

/** The first prompt of a session, with the settings that its agent offers before a session. */
export function FirstPrompt({ agent, cwd, settings, onSettings, onSend }: FirstPromptProps): ReactElement {
  const { sessions: text, agents: agentsText, own } = useText();
  const { isAdmin } = useHub();
  const card = useCard(agent);
  const findFiles = useMemo(() => findFilesIn({ path: cwd }), [cwd]);
  const editor = useRef<PromptEditorHandle>(null);
  const shown = useMemo(() => toSettings(withChoices(card ?? {}, settings), own), [card, settings, own]);
  return (
    <div className="new-session-prompt">
      <PromptEditor
        ref={editor}
        draftName="new-session"
        cwd={cwd}
        agentName={agent.title ?? agent.name}
        findFiles={findFiles}
        capabilities={card?.capabilities?.promptCapabilities}
        onSend={(blocks) => onSend(blocks, card)}
        sendLabel={text.beginNow}
        sendingLabel={text.startingWith(agent.title ?? agent.name)}
      >
        {card === undefined ? (
          <span className="soft small">{text.looking}</span>
        ) : (
          <SettingsBar
            settings={shown}
            onChange={async ({ by, id }, value) => {
              onSettings(
                by === 'mode' && typeof value === 'string'
                  ? { ...settings, mode: value }
                  : { ...settings, options: { ...settings.options, [id]: value } },
              );
              await Promise.resolve();
            }}
          />
        )}
      </PromptEditor>
      {card?.failure !== undefined && (
        <div role="alert" className="new-session-failure">
          <p>
            {text.didNotStart(card.failure)}{' '}
            <Link href={`/agents/${encodeURIComponent(agent.name)}`}>{text.moreAboutAgent}</Link>
          </p>
          {card.log.trim() !== '' && <pre>{card.log.trim().slice(-shownFirstLog)}</pre>}
        </div>
      )}
      {agent.signIn === 'needed' && isAdmin && card !== undefined && (
        <SignIn agent={agent} card={card} onSignedIn={() => editor.current?.focus()} />
      )}
      {agent.place === 'own' && isAdmin && (
        <p className="new-session-model">
          <ConnectModel /> <span className="soft small">{agentsText.connectModelHelp}</span>
        </p>
      )}
      {agent.place === 'own' && (
        <section aria-label={text.examples} className="new-session-examples">
          <p className="soft small">{text.examplesHelp}</p>
          <ul>
            {examples.map((example) => (
              <li key={example}>
                <button
                  type="button"
                  className="button"
                  onClick={() => {
                    editor.current?.append(example);
                    editor.current?.focus();
                  }}
                >
                  <code>{example}</code>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** What the embedded offline model understands. Its instructions are the same in every language. */
const examples: readonly string[] = [
  'list .',
  'run git status',
  'write hello.txt: Hello',
  'plan: look; change; test',
  'ask: Which colour?',
];

/** Used while the agent was not probed: a session can start without it. */
const unknownCard: AgentCard = { time: 0, startMs: 0, signInMethods: [], log: '' };

/** The card of an agent. An agent without one is probed once, by tokens that may. */
function useCard(agent: HubAgent): AgentCard | undefined {
  const { isAdmin } = useHub();
  const [seen, setSeen] = useState<AgentCard>();
  const isNeeded = agent.card === undefined && isAdmin;
  useEffect(() => {
    if (!isNeeded) return undefined;
    const asking = new AbortController();
    askApi<AgentCard>(`/api/agents/${encodeURIComponent(agent.name)}/probe`, {
      method: 'POST',
      signal: asking.signal,
    }).then(setSeen, () => {
      if (!asking.signal.aborted) setSeen(unknownCard);
    });
    return () => asking.abort();
  }, [agent.name, isNeeded]);
  return agent.card ?? seen ?? (isAdmin ? undefined : unknownCard);
}
