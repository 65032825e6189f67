import type { NewSessionWorktree } from '@parley/host/hub';
import { useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { raceLimits } from '../limits.ts';
import { useNotices } from '../parts/notices.tsx';
import { useKept } from '../parts/use-kept.ts';
import { FolderChoice } from '../sessions/folder-choice.tsx';
import { isWithin, parseStartChoice, startable, worktreeToSend } from '../sessions/start-choice.ts';
import { WorktreeFields } from '../sessions/worktree-fields.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import { askWorktrees } from './worktree-requests.ts';
import '../sessions/new-session-page.css';
import './race-form.css';

/** The form for a new race: agents, prompt and check. */
export function RaceForm(): ReactElement {
  const { worktrees: text, shell } = useText();
  const client = useHubClient();
  const { agents, workspaces, sessions, isObserver, isAdmin } = useHub();
  const { notify } = useNotices();
  const [, go] = useLocation();
  const choice = parseStartChoice(useKept('parley-new-session')[0]);
  const [folder, setFolder] = useState(choice.cwd);
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>(new Map());
  const [prompt, setPrompt] = useState('');
  const [check, setCheck] = useState('');
  const [wish, setWish] = useState<NewSessionWorktree>({});
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const cwd = workspaces.some((root) => folder !== undefined && isWithin(folder, root))
    ? folder
    : workspaces[0];
  const runners = startable(agents).flatMap(({ name }) =>
    Array.from({ length: counts.get(name) ?? 0 }, () => name),
  );
  const count = (name: string, times: number): void =>
    setCounts((before) => new Map([...before, [name, times]]));
  const isReady = runners.length >= 2 && runners.length <= raceLimits.runners && prompt.trim() !== '';
  const start = async (): Promise<void> => {
    if (!isReady || isBusy || cwd === undefined) return;
    setIsBusy(true);
    setError(undefined);
    try {
      const { id, notes } = await askWorktrees(client, 'race', {
        cwd,
        agents: runners,
        prompt,
        ...(check.trim() !== '' && { check: check.trim() }),
        ...worktreeToSend(wish),
      });
      for (const note of new Set(notes)) notify(note);
      go(`/worktrees/${encodeURIComponent(id)}`);
    } catch (failure) {
      setError(failure);
    } finally {
      setIsBusy(false);
    }
  };
  if (isObserver) {
    return (
      <section className="page new-session">
        <h1 tabIndex={-1}>{text.beginRace}</h1>
        <p>{text.observer}</p>
      </section>
    );
  }
  return (
    <section className="page new-session">
      <h1 tabIndex={-1}>{text.beginRace}</h1>
      <p className="soft">{text.beginRaceHelp}</p>
      <form
        className="race-form"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <fieldset className="race-agents">
          <legend>{text.raceAgents}</legend>
          {startable(agents).map(({ name, title = name }) => (
            <div key={name} className="race-agent">
              <label>
                <input
                  type="checkbox"
                  checked={(counts.get(name) ?? 0) > 0}
                  onChange={({ target: { checked } }) => count(name, Number(checked))}
                />
                {title}
              </label>
              {(counts.get(name) ?? 0) > 0 && (
                <input
                  type="number"
                  className="field"
                  aria-label={text.racersOf(title)}
                  min={1}
                  max={raceLimits.runners}
                  value={counts.get(name)}
                  onChange={({ target: { valueAsNumber } }) =>
                    count(name, Math.min(raceLimits.runners, Math.max(1, Math.trunc(valueAsNumber) || 1)))
                  }
                />
              )}
            </div>
          ))}
        </fieldset>
        {cwd !== undefined && (
          <FolderChoice folder={cwd} workspaces={workspaces} sessions={sessions} onChoose={setFolder} />
        )}
        <WorktreeFields wish={wish} hasName={false} onChange={setWish} />
        <label className="race-field">
          {text.prompt}
          <textarea
            className="field"
            rows={5}
            value={prompt}
            maxLength={raceLimits.promptLength}
            onChange={({ target: { value } }) => setPrompt(value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              void start();
            }}
          />
        </label>
        {isAdmin && (
          <label className="race-field">
            {text.raceCheck}
            <input
              type="text"
              className="field"
              value={check}
              maxLength={raceLimits.checkLength}
              placeholder="npm test"
              onChange={({ target: { value } }) => setCheck(value)}
            />
            <span className="soft small">{text.raceCheckHelp}</span>
          </label>
        )}
        {error !== undefined && (
          <p role="alert" className="changes-dialog-failure new-session-failure">
            {failureText(error, shell)}
          </p>
        )}
        <div className="race-actions">
          <button className="button button-primary" disabled={!isReady || isBusy}>
            {text.startRace}
          </button>
          {isBusy && <output className="soft">{text.raceStarting}</output>}
          {!isReady && runners.length < 2 && <span className="soft small">{text.raceNeedsTwo}</span>}
        </div>
      </form>
    </section>
  );
}
