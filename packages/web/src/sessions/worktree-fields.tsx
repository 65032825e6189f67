import type { NewSessionWorktree } from '@parley/host/hub';
import type { ReactElement } from 'react';
import { worktreeLimits } from '../limits.ts';
import { useText } from '../text/language.tsx';
import './worktree-fields.css';

/** What a new worktree is made of. */
export interface WorktreeFieldsProps {
  readonly wish: NewSessionWorktree;
  /** The runners of a race are named by it. @default true */
  readonly hasName?: boolean;
  readonly onChange: (wish: NewSessionWorktree) => void;
}

/** Chooses the name of a worktree, the commit that it starts from, and whether it has uncommitted changes. */
export function WorktreeFields({ wish, hasName = true, onChange }: WorktreeFieldsProps): ReactElement {
  const { worktrees: text } = useText();
  return (
    <div className="worktree-fields">
      {hasName && (
        <label className="worktree-field" title={text.newNameHelp}>
          {text.newName}
          <input
            type="text"
            className="field"
            value={wish.name ?? ''}
            maxLength={worktreeLimits.nameLength}
            onChange={({ target: { value } }) => onChange({ ...wish, name: value })}
          />
        </label>
      )}
      <label className="worktree-field">
        {text.newBase}
        <input
          type="text"
          className="field"
          value={wish.base ?? ''}
          maxLength={worktreeLimits.baseLength}
          placeholder="HEAD"
          onChange={({ target: { value } }) => onChange({ ...wish, base: value })}
        />
      </label>
      <label className="worktree-choice">
        <input
          type="checkbox"
          checked={wish.withChanges === true}
          onChange={({ target: { checked } }) => onChange({ ...wish, withChanges: checked })}
        />
        {text.withChanges}
      </label>
    </div>
  );
}
