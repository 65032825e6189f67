import type { ListedWorktree } from '@parley/host/hub';
import { Flag } from 'lucide-react';
import { useRef, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import { ComparePage } from './compare-page.tsx';
import { findRace, groupRaces, type Race } from './group-races.ts';
import { RaceForm } from './race-form.tsx';
import { useLostFocus } from './use-lost-focus.ts';
import { useWorktrees, type LoadedWorktrees } from './use-worktrees.ts';
import { WorktreeRow } from './worktree-row.tsx';
import './worktrees-page.css';

/** All worktrees, a single race, or the form for a new one. */
export function WorktreesPage({ name }: { readonly name: string | undefined }): ReactElement {
  return name === 'race' ? <RaceForm /> : <KnownWorktrees name={name} />;
}

function KnownWorktrees({ name }: { readonly name: string | undefined }): ReactElement {
  const { worktrees: text } = useText();
  const loaded = useWorktrees();
  const { worktrees } = loaded;
  const isListed = worktrees?.some((worktree) => worktree.name === name) === true;
  if (name === undefined || worktrees === undefined) {
    return <List loaded={loaded} named={undefined} />;
  }
  const race = findRace(worktrees, name);
  if (race !== undefined) return <ComparePage race={race} />;
  if (isListed) return <List loaded={loaded} named={name} />;
  return (
    <section className="page worktrees">
      <h1 tabIndex={-1}>{text.raceNotFound}</h1>
      <p>{text.raceNotFoundHelp}</p>
      <p>
        <Link href="/worktrees">{text.allWorktrees}</Link>
      </p>
    </section>
  );
}

function List({
  loaded: { worktrees, error, reload },
  named,
}: {
  readonly loaded: LoadedWorktrees;
  readonly named: string | undefined;
}): ReactElement {
  const { worktrees: text, shell } = useText();
  const { isObserver } = useHub();
  const heading = useRef<HTMLHeadingElement>(null);
  useLostFocus(heading, worktrees?.length ?? 0);
  const races = worktrees === undefined ? [] : groupRaces(worktrees);
  return (
    <section className="page worktrees">
      <header className="worktrees-head">
        <h1 ref={heading} tabIndex={-1}>
          {text.title}
        </h1>
        {!isObserver && (
          <Link href="/worktrees/race" className="button">
            <Flag size={16} aria-hidden /> {text.beginRace}
          </Link>
        )}
      </header>
      <p className="soft">{text.help}</p>
      {error !== undefined && (
        <div role="alert" className="worktrees-failure">
          <p>
            <strong>{text.failed}.</strong> {failureText(error, shell)}
          </p>
          <button type="button" className="button" onClick={reload}>
            {text.retry}
          </button>
        </div>
      )}
      {worktrees === undefined && error === undefined && <output className="soft">{text.loading}</output>}
      {worktrees?.length === 0 && (
        <p>
          <strong>{text.none}.</strong> <span className="soft">{text.noneHelp}</span>
        </p>
      )}
      {races.length > 0 && (
        <>
          <h2>{text.races}</h2>
          <ul className="worktrees-list">
            {races.map((race) => (
              <RaceRow key={race.id} race={race} />
            ))}
          </ul>
        </>
      )}
      {worktrees !== undefined && worktrees.length > 0 && (
        <>
          <h2>{text.worktrees}</h2>
          <ul className="worktrees-list">
            {inOrder(worktrees, named).map((worktree) => (
              <WorktreeRow key={worktree.path} worktree={worktree} onChange={reload} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** The requested one first, then the newest. */
function inOrder(worktrees: readonly ListedWorktree[], named: string | undefined): readonly ListedWorktree[] {
  return worktrees.toSorted(
    (left, right) =>
      Number(right.name === named) - Number(left.name === named) || right.createdAt - left.createdAt,
  );
}

function RaceRow({ race: { id, prompt, startedAt, runners } }: { readonly race: Race }): ReactElement {
  const { worktrees: text } = useText();
  return (
    <li className="worktrees-row">
      <p className="worktrees-name">
        <Link href={`/worktrees/${encodeURIComponent(id)}`} aria-label={text.compareRace(prompt)}>
          {prompt}
        </Link>
      </p>
      <p className="soft small">
        {text.runners(runners.length)} · {runners.map(({ race }) => race.agent).join(', ')} ·{' '}
        <RelativeTime time={startedAt} />
      </p>
    </li>
  );
}
