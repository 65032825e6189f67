import { useId, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { Link } from 'wouter';
import { Honest } from '../parts/honest.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useMedia } from '../parts/use-media.ts';
import { useText } from '../text/language.tsx';
import type { Race, Runner } from './group-races.ts';
import { RunnerColumn } from './runner-column.tsx';
import { useLostFocus } from './use-lost-focus.ts';
import './compare-page.css';

/** The runners of a race side by side; on a phone one at a time, by tabs. */
export function ComparePage({ race: { prompt, startedAt, runners } }: { readonly race: Race }): ReactElement {
  const { worktrees: text } = useText();
  const isNarrow = useMedia('(width < 50rem)');
  const heading = useRef<HTMLHeadingElement>(null);
  useLostFocus(heading, runners.length);
  return (
    <section className="page compare">
      <header className="compare-head">
        <h1 ref={heading} tabIndex={-1}>
          <span className="visually-hidden">{text.compare}: </span>
          <Honest text={prompt} />
        </h1>
        <p className="soft small">
          {text.runners(runners.length)} · {text.startedAgo} <RelativeTime time={startedAt} /> ·{' '}
          <Link href="/worktrees">{text.allWorktrees}</Link>
        </p>
      </header>
      {isNarrow ? (
        <Tabs runners={runners} />
      ) : (
        <div className="compare-columns">
          {runners.map((runner) => (
            <RunnerColumn key={runner.path} runner={runner} />
          ))}
        </div>
      )}
    </section>
  );
}

function Tabs({ runners }: { readonly runners: readonly Runner[] }): ReactElement {
  const { worktrees: text } = useText();
  const [wanted, setWanted] = useState<string>();
  const panel = useId();
  const at = Math.max(
    0,
    runners.findIndex(({ path }) => path === wanted),
  );
  const shown = runners[at];
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = (at + step + runners.length) % runners.length;
    if (step === 0) return;
    event.preventDefault();
    setWanted(runners[next]?.path);
    const tabs = event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]');
    tabs[next]?.focus();
  };
  return (
    <>
      <div
        className="compare-tabs"
        role="tablist"
        tabIndex={-1}
        aria-label={text.compare}
        onKeyDown={onKeyDown}
      >
        {runners.map(({ path, name, race }, index) => (
          <button
            key={path}
            id={`${panel}-${String(index)}`}
            type="button"
            role="tab"
            className="button"
            aria-selected={index === at}
            aria-controls={panel}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setWanted(path)}
          >
            {name.slice(race.id.length + 1)}
          </button>
        ))}
      </div>
      <div id={panel} role="tabpanel" className="compare-panel" aria-labelledby={`${panel}-${String(at)}`}>
        {shown !== undefined && <RunnerColumn key={shown.path} runner={shown} />}
      </div>
    </>
  );
}
