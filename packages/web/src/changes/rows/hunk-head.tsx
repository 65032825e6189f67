import { Check, CircleCheck, MessageSquarePlus, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../text/language.tsx';
import { usePanel } from '../panel-context.ts';
import { pathText } from '../path-text.ts';
import type { HunkRow } from './changes-rows.ts';

/** The header of a hunk with its actions. */
export function HunkHead({ row: { key, file, hunk, content } }: { readonly row: HunkRow }): ReactElement {
  const { changes: text } = useText();
  const { isObserver, isBusy, current, keep, revert, comment } = usePanel();
  const path = pathText(file.path);
  const canReview = !isObserver && current.has(hunk.id);
  const label = (what: string): string => text.inHunk(what, hunk.header, path);
  return (
    <div
      className="changes-hunk small"
      // A fieldset is of a form.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-label={`${text.hunk(hunk.header)}, ${path}`}
      data-row={key}
      tabIndex={-1}
    >
      <code className="soft">{hunk.header}</code>
      {content.isUnended && <span className="soft">{text.unended}</span>}
      {hunk.reviewed === true && (
        <span className="changes-mark changes-mark-good">
          <CircleCheck size={12} aria-hidden /> {text.reviewed}
        </span>
      )}
      <span className="changes-actions">
        {canReview && hunk.reviewed !== true && (
          <button
            type="button"
            className="button button-plain small"
            aria-label={label(text.keep)}
            disabled={isBusy}
            onClick={() => keep([hunk.id])}
          >
            <Check size={14} aria-hidden /> {text.keep}
          </button>
        )}
        {canReview && (
          <button
            type="button"
            className="button button-plain small"
            aria-label={label(text.revert)}
            disabled={isBusy}
            onClick={() => revert([hunk.id])}
          >
            <X size={14} aria-hidden /> {text.revert}
          </button>
        )}
        {comment !== undefined && (
          <button
            type="button"
            className="button button-plain small"
            aria-label={label(text.comment)}
            onClick={() => comment(key)}
          >
            <MessageSquarePlus size={14} aria-hidden /> {text.comment}
          </button>
        )}
      </span>
    </div>
  );
}
