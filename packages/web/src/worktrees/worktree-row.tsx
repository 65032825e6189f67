import type { ListedWorktree } from '@parley/host/hub';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { DiffCounts } from '../conversation/diff/diff-counts.tsx';
import { useHubSession } from '../hub/use-hub.ts';
import { Honest } from '../parts/honest.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useText } from '../text/language.tsx';
import { WorktreeActions } from './worktree-actions.tsx';

/** A worktree: its base, its changes and its actions. */
export function WorktreeRow({
  worktree,
  onChange,
}: {
  readonly worktree: ListedWorktree;
  readonly onChange: () => void;
}): ReactElement {
  const { worktrees: text, sessions } = useText();
  const { name, branch, base, baseRef, checkout, createdAt, session: key, state } = worktree;
  const session = useHubSession(key ?? '');
  return (
    <li className="worktrees-row">
      <p className="worktrees-name">
        <strong>{name}</strong>
        <StateMark state={state} />
        {state === 'changed' && <DiffCounts added={worktree.additions} removed={worktree.deletions} />}
      </p>
      <p className="soft small">
        <code>{branch}</code> {text.from(baseRef, base.slice(0, 8))} · <Honest text={checkout} /> ·{' '}
        <RelativeTime time={createdAt} />
      </p>
      {key === undefined ? (
        <p className="soft small">{text.noSession}</p>
      ) : (
        <p className="small">
          <Link href={`/sessions/${encodeURIComponent(key)}`}>
            <Honest text={session?.title ?? sessions.untitled} />
          </Link>
        </p>
      )}
      <WorktreeActions worktree={worktree} onChange={onChange} />
    </li>
  );
}

/** How a worktree compares to its checkout. */
export function StateMark({ state }: Pick<ListedWorktree, 'state'>): ReactElement {
  const { worktrees: text } = useText();
  return <span className={`worktrees-mark worktrees-mark-${state}`}>{text.states[state]}</span>;
}
