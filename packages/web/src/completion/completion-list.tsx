// No element of HTML is a list beside a field that keeps the focus.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { File, SquareSlash } from 'lucide-react';
import { useEffect, type ReactElement } from 'react';
import { ListOption } from '../parts/list-option.tsx';
import { useText } from '../text/language.tsx';
import { ownText } from '../text/own-text.ts';
import type { Completion } from './use-completion.ts';
import './completion-list.css';

/** What the list shows, and where it is. */
export interface CompletionListProps {
  readonly id: string;
  readonly completion: Completion;
  readonly active: number;
  readonly onPick: (index: number) => void;
}

/** The id of an entry of a list. */
export function entryId(listId: string, index: number): string {
  return `${listId}-${String(index)}`;
}

/** The completions of the typed text. The text field keeps the focus and handles the keys. */
export function CompletionList({ id, completion, active, onPick }: CompletionListProps): ReactElement {
  const { prompt, own } = useText();
  const { trigger, entries, state } = completion;
  useEffect(() => {
    document.getElementById(entryId(id, active))?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const Icon = trigger.kind === 'file' ? File : SquareSlash;
  return (
    <div className="completion">
      {entries.length > 0 && (
        <div
          className="completion-list"
          id={id}
          role="listbox"
          aria-label={trigger.kind === 'file' ? prompt.files : prompt.commands}
        >
          {entries.map(({ value, description }, index) => (
            <ListOption
              key={value}
              id={entryId(id, index)}
              className="completion-entry"
              isActive={index === active}
              onPick={() => {
                onPick(index);
              }}
            >
              <Icon size={16} aria-hidden />
              <span className="completion-value">{trigger.kind === 'file' ? value : `/${value}`}</span>
              {description !== undefined && (
                <span className="completion-about soft small">{ownText(description, own)}</span>
              )}
            </ListOption>
          ))}
        </div>
      )}
      <output className={entries.length > 0 ? 'visually-hidden' : 'completion-status soft small'}>
        {state === 'loading' && entries.length === 0 && prompt.searching}
        {state === 'failed' && prompt.filesFailed}
        {state === 'ready' && (entries.length === 0 ? prompt.noFiles : prompt.found(entries.length))}
      </output>
    </div>
  );
}
