import type { ListedWorktree } from '@parley/host/hub';
import { FileDiff, GitMerge, Trash2 } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { useText } from '../text/language.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

/** The actions for a worktree. Without a session there are none, because worktrees are addressed by their session. */
export function WorktreeActions({
  worktree: { name, session: key, state },
  isRunner = false,
  onChange,
}: {
  readonly worktree: ListedWorktree;
  /** It is merged by adopting it, and its changes are shown below. */
  readonly isRunner?: boolean;
  readonly onChange: () => void;
}): ReactElement | null {
  const { worktrees: text } = useText();
  const { isObserver } = useHub();
  const [asked, setAsked] = useState<'merge' | 'remove'>();
  if (key === undefined) return null;
  const close = (): void => {
    setAsked(undefined);
    onChange();
  };
  return (
    <div className="worktrees-actions">
      {!isRunner && (
        <Link
          href={`/sessions/${encodeURIComponent(key)}?changes`}
          className="button small"
          aria-label={text.showChangesOf(name)}
        >
          <FileDiff size={14} aria-hidden /> {text.showChanges}
        </Link>
      )}
      {!isObserver && (
        <>
          <button
            type="button"
            className="button small"
            aria-label={isRunner ? text.adoptOf(name) : text.mergeOf(name)}
            disabled={state === 'clean'}
            onClick={() => setAsked('merge')}
          >
            <GitMerge size={14} aria-hidden /> {isRunner ? text.adopt : text.merge}
          </button>
          <button
            type="button"
            className="button small"
            aria-label={text.removeOf(name)}
            onClick={() => setAsked('remove')}
          >
            <Trash2 size={14} aria-hidden /> {text.remove}
          </button>
        </>
      )}
      {asked === 'merge' && <MergeDialog sessionKey={key} name={name} onClose={close} />}
      {asked === 'remove' && <RemoveDialog sessionKey={key} name={name} onClose={close} />}
    </div>
  );
}
