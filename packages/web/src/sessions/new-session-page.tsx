import type { ContentBlock } from '@parley/acp';
import type { NewSessionWorktree } from '@parley/host/hub';
import { useRef, useState, type ReactElement } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useFreshAgents } from '../agents/use-fresh-agents.ts';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { later } from '../parts/later.tsx';
import { useKept } from '../parts/use-kept.ts';
import { useFirstText } from '../text/language.tsx';
import { AgentChoice } from './agent-choice.tsx';
import { sendFirstPrompt } from './begin-session.ts';
import { FirstPrompt } from './first-prompt.tsx';
import { FolderChoice } from './folder-choice.tsx';
import {
  chosenAgent,
  isWithin,
  parseStartChoice,
  settingsToSend,
  type StartChoice,
  type StartSettings,
  worktreeToSend,
} from './start-choice.ts';
import './new-session-page.css';

const WorktreeFields = later(async () => (await import('./worktree-fields.tsx')).WorktreeFields);
const TeamOrRace = later(async () => (await import('./team-choice.tsx')).TeamOrRace);

/** The form for a new session, or the reason why none can be started. */
export function NewSessionPage(): ReactElement {
  const { sessions: text } = useFirstText();
  const { isObserver } = useHub();
  if (!isObserver) return <OpenNewSessionPage />;
  return (
    <section className="page new-session">
      <h1>{text.begin}</h1>
      <p>{text.observer}</p>
    </section>
  );
}

/** With which agent, in which folder, with which words. */
function OpenNewSessionPage(): ReactElement {
  const { sessions: text } = useFirstText();
  const client = useHubClient();
  const { agents, workspaces, sessions, isKnown } = useHub();
  useFreshAgents();
  const [, go] = useLocation();
  const [kept, keep] = useKept('parley-new-session');
  const choice = parseStartChoice(kept);
  const [worktree, setWorktree] = useState<NewSessionWorktree>();
  const [team, setTeam] = useState<readonly string[]>();
  const [begun, setBegun] = useState<ReadonlySet<string>>();
  /** A session that is there, and whose first prompt did not arrive. */
  const waiting = useRef<{ readonly for: string; readonly key: string }>(undefined);
  /** Named by the link that led here. */
  const named = new URLSearchParams(useSearch()).get('agent') ?? undefined;
  const agent = chosenAgent(agents, named ?? choice.agent);
  const cwd =
    workspaces.find((root) => choice.cwd !== undefined && isWithin(choice.cwd, root)) === undefined
      ? workspaces[0]
      : choice.cwd;
  const settings = agent === undefined ? {} : (choice.settings?.[agent.name] ?? {});
  const change = (changed: StartChoice): void => keep(JSON.stringify({ ...choice, ...changed }));

  const begin = async (blocks: readonly ContentBlock[], card = agent?.card): Promise<void> => {
    if (agent === undefined || cwd === undefined) return;
    const { mode, options } = settingsToSend(card, settings);
    const wanted = JSON.stringify([agent.name, cwd, worktree, team, mode, options]);
    setBegun(new Set(client.state.get().sessions.keys()));
    try {
      const key =
        waiting.current?.for === wanted
          ? waiting.current.key
          : await client.newSession(cwd, {
              'parley/agent': agent.name,
              ...(worktree !== undefined && { 'parley/worktree': worktreeToSend(worktree) }),
              ...(team !== undefined && { 'parley/team': team }),
              ...(mode !== undefined && { 'parley/mode': mode }),
              ...(options !== undefined && { 'parley/options': options }),
            });
      waiting.current = { for: wanted, key };
      await sendFirstPrompt(client, key, blocks);
      waiting.current = undefined;
      go(`/sessions/${encodeURIComponent(key)}`);
    } finally {
      setBegun(undefined);
    }
  };

  const agentName = agent?.title ?? agent?.name ?? '';
  // The session that is being begun here, which may ask something before it is open.
  const starting =
    begun === undefined
      ? undefined
      : [...sessions.values()].find(
          (session) =>
            !begun.has(session.key) &&
            session.agent === agent?.name &&
            (worktree !== undefined ? session.worktree !== undefined : session.cwd === cwd),
        );
  return (
    <section className="page new-session">
      <h1>{text.begin}</h1>
      {isKnown && agent === undefined && <p>{text.noAgent}</p>}
      <AgentChoice
        agents={agents}
        chosen={agent}
        onChoose={(name) => {
          change({ agent: name });
          if (named !== undefined) go('/', { replace: true });
        }}
      />
      {cwd !== undefined && (
        <FolderChoice
          folder={cwd}
          workspaces={workspaces}
          sessions={sessions}
          onChoose={(folder) => change({ cwd: folder })}
        />
      )}
      {cwd !== undefined && (
        <label className="worktree-choice" title={text.inWorktreeHelp}>
          <input
            type="checkbox"
            checked={worktree !== undefined}
            onChange={({ target: { checked } }) => setWorktree(checked ? {} : undefined)}
          />
          {text.inWorktree}
        </label>
      )}
      {worktree !== undefined && <WorktreeFields wish={worktree} onChange={setWorktree} />}
      {
        // Not before the hub has answered: what is above would move it away from the pointer.
        cwd !== undefined && <TeamOrRace agents={agents} team={team} onChoose={setTeam} />
      }
      {agent !== undefined && cwd !== undefined && (
        <FirstPrompt
          key={agent.name}
          agent={agent}
          cwd={cwd}
          settings={settings}
          onSettings={(changed: StartSettings) =>
            change({ settings: { ...choice.settings, [agent.name]: changed } })
          }
          onSend={begin}
        />
      )}
      {begun !== undefined && (
        <p>
          <output>
            {starting?.waitsBehind === undefined
              ? text.startingWith(agentName)
              : text.waitsBehind(agentName, starting.waitsBehind)}
          </output>{' '}
          {starting !== undefined && (
            <Link href={`/sessions/${encodeURIComponent(starting.key)}`}>
              {starting.questions > 0 ? text.startingAsks : text.startingShow}
            </Link>
          )}
        </p>
      )}
    </section>
  );
}
