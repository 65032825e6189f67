import type { HubAgent } from '@parley/host/hub';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useText } from '../text/language.tsx';
import { startable } from './start-choice.ts';

/** The agents that a new session may delegate to. */
export interface TeamChoiceProps {
  readonly agents: readonly HubAgent[];
  /** Names of the chosen agents. @default those of the configuration */
  readonly team: readonly string[] | undefined;
  readonly onChoose: (team: readonly string[]) => void;
}

/** How several agents work on a new session: as its team, or each on its own in a race. */
export function TeamOrRace(props: TeamChoiceProps): ReactElement {
  const { sessions: text } = useText();
  return (
    <>
      <TeamChoice {...props} />
      <p>
        <Link href="/worktrees/race">{text.race}</Link>
      </p>
    </>
  );
}

/** Chooses the team of a new session. */
function TeamChoice({ agents, team: chosen, onChoose }: TeamChoiceProps): ReactElement {
  const team = chosen ?? [];
  const { subagents: text } = useText();
  return (
    <details className="team-choice">
      <summary title={text.teamHelp}>
        {team.length === 0 ? text.team : `${text.team} (${String(team.length)})`}
      </summary>
      {startable(agents).map(({ name, title = name }) => (
        <label key={name} className="worktree-choice">
          <input
            type="checkbox"
            checked={team.includes(name)}
            onChange={({ target: { checked } }) =>
              onChoose(checked ? [...team, name] : team.filter((each) => each !== name))
            }
          />
          {title}
        </label>
      ))}
    </details>
  );
}
