import { useId, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import { DiffCounts } from '../conversation/diff/diff-counts.tsx';
import { useHub, useHubSession } from '../hub/use-hub.ts';
import { formatDuration } from '../parts/format-duration.ts';
import { Honest } from '../parts/honest.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useLanguage, useText } from '../text/language.tsx';
import type { Runner } from './group-races.ts';
import { RunnerDiff } from './runner-diff.tsx';
import { didWell, resultText } from './runner-result.ts';
import { WorktreeActions } from './worktree-actions.tsx';
import { StateMark } from './worktree-row.tsx';

/** The result of a runner in a race, with its actions. */
export function RunnerColumn({ runner }: { readonly runner: Runner }): ReactElement {
  const { worktrees: text, conversation, changes } = useText();
  const { language } = useLanguage();
  const { agents } = useHub();
  const heading = useId();
  const { name, race, session: key, state, files, additions, deletions } = runner;
  const { seconds, usage } = race;
  const session = useHubSession(key ?? '');
  const agent = agents.find((each) => each.name === race.agent)?.title ?? race.agent;
  const tokens = usage?.['totalTokens'];
  const outcome = didWell(race);
  return (
    <article className="compare-column" aria-labelledby={heading}>
      <h2 id={heading} className="compare-name">
        {agent} <span className="soft small">{name}</span>
      </h2>
      <dl className="compare-facts">
        <Fact name={text.result}>
          <span className={outcome === undefined ? '' : outcome ? 'compare-good' : 'compare-bad'}>
            <Honest text={resultText(race, text, conversation)} />
          </span>
          {session !== undefined && session.questions > 0 && (
            <>
              {' · '}
              <Link href={`/sessions/${encodeURIComponent(session.key)}`}>{text.needsInput}</Link>
            </>
          )}
        </Fact>
        <Fact name={text.time}>
          {seconds === undefined ? (
            <RelativeTime time={race.startedAt} />
          ) : (
            formatDuration(seconds * 1000, language)
          )}
        </Fact>
        <Fact name={text.tokens}>{tokens === undefined ? '–' : tokens.toLocaleString(language)}</Fact>
        <Fact name={text.check}>
          <Check runner={runner} />
        </Fact>
        <Fact name={text.changes}>
          {changes.files(files)} <DiffCounts added={additions} removed={deletions} />
          {state !== 'changed' && <StateMark state={state} />}
        </Fact>
      </dl>
      <div className="compare-actions">
        {key === undefined ? (
          <p className="soft small">{text.noSession}</p>
        ) : (
          <Link
            href={`/sessions/${encodeURIComponent(key)}`}
            className="button small"
            aria-label={text.openSessionOf(name)}
          >
            {text.openSession}
          </Link>
        )}
        <WorktreeActions worktree={runner} isRunner onChange={() => undefined} />
      </div>
      {key !== undefined && (
        <RunnerDiff
          sessionKey={key}
          name={name}
          version={[race.state, files, additions, deletions].join(' ')}
        />
      )}
    </article>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt className="soft small">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Check({ runner: { race } }: { readonly runner: Runner }): ReactElement {
  const { worktrees: text } = useText();
  const { language } = useLanguage();
  const { command, check, state } = race;
  if (command === undefined) return <span className="soft">{text.checkNone}</span>;
  if (check === undefined) {
    const words = state === 'checking' ? text.checkRunning : state === 'running' ? '–' : text.checkNotRun;
    return <span className="soft">{words}</span>;
  }
  const { exitCode, seconds, output } = check;
  return (
    <>
      <span className={exitCode === 0 ? 'compare-good' : 'compare-bad'}>
        {exitCode === 0 ? text.checkPassed : text.checkFailed(exitCode)}
      </span>{' '}
      <span className="soft small">{formatDuration(seconds * 1000, language)}</span>
      <details className="small" open={exitCode !== 0}>
        <summary>
          <code>
            <Honest text={command} />
          </code>
        </summary>
        {/* It can be scrolled, also with the keyboard. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <pre className="compare-output" tabIndex={0} aria-label={text.checkOutput}>
          <Honest text={output} />
        </pre>
      </details>
    </>
  );
}
