import { useEffect, useId, useRef, useState, type ReactElement } from 'react';
import { reasonLength } from '../limits.ts';
import { useText } from '../text/language.tsx';

/** Why something is rejected. */
export interface ReasonFormProps {
  /** The agent gets the reason with the answer; else as the next prompt. */
  readonly goesWithAnswer: boolean;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onReject: (reason: string) => void;
}

/** The form for the reason of a rejection, which says how the agent gets it. */
export function ReasonForm({ goesWithAnswer, isBusy, onClose, onReject }: ReasonFormProps): ReactElement {
  const { inbox } = useText();
  const [reason, setReason] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  const submit = (): void => {
    if (!isBusy && reason.trim() !== '') onReject(reason.trim());
  };
  return (
    // It takes the keys of its field, and keeps them from the card.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className="question-panel"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        const { key, shiftKey, nativeEvent } = event;
        event.stopPropagation();
        if (key === 'Escape') {
          // It leaves the form, and means no more than that.
          event.preventDefault();
          onClose();
        }
        if (key !== 'Enter' || shiftKey || nativeEvent.isComposing || event.target !== field.current) return;
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor={id}>{inbox.reason}</label>
      <textarea
        ref={field}
        id={id}
        className="field"
        rows={2}
        maxLength={reasonLength}
        value={reason}
        aria-describedby={`${id}-help`}
        onChange={(event) => setReason(event.target.value)}
      />
      <p className="soft small" id={`${id}-help`}>
        {goesWithAnswer ? inbox.reasonWithAnswer : inbox.reasonPrompted}
      </p>
      <div className="question-panel-row">
        <button
          type="submit"
          className="button button-danger permission-action"
          aria-disabled={isBusy || reason.trim() === ''}
        >
          {goesWithAnswer ? inbox.rejectWithAnswer : inbox.rejectAndPrompt} <kbd aria-hidden>⏎</kbd>
        </button>
        <button type="button" className="button button-plain permission-action" onClick={onClose}>
          {inbox.back} <kbd aria-hidden>Esc</kbd>
        </button>
      </div>
    </form>
  );
}
