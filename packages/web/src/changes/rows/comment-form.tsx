import { useState, type ReactElement } from 'react';
import { commentLength } from '../../limits.ts';
import { useText } from '../../text/language.tsx';
import { usePanel } from '../panel-context.ts';
import { pathText } from '../path-text.ts';
import type { CommentRow } from './changes-rows.ts';

/** Where a comment is written that becomes part of the next prompt. */
export function CommentForm({ row: { file, lines } }: { readonly row: CommentRow }): ReactElement {
  const { changes: text } = useText();
  const { comment, addComment } = usePanel();
  const [typed, setTyped] = useState('');
  const add = (): void => {
    if (typed.trim() !== '') addComment(pathText(file.path), lines, typed);
  };
  return (
    <form
      className="changes-comment"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <textarea
        className="field"
        // Who chose to comment wants to type.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        rows={3}
        aria-label={text.commentLabel}
        placeholder={text.commentPlaceholder}
        maxLength={commentLength}
        value={typed}
        onChange={({ target: { value } }) => setTyped(value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') comment?.(undefined);
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) add();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => comment?.(undefined)}>
          {text.cancel}
        </button>
        <button className="button button-primary" disabled={typed.trim() === ''}>
          {text.addToPrompt}
        </button>
      </div>
    </form>
  );
}
