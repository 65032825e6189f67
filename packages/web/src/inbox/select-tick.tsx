import type { HubQuestion } from '@parley/host/hub';
import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { toQuestionLine } from './question-line.ts';
import type { Selection } from './use-selection.ts';

/** Selects a question to be answered together with others of its kind. */
export function SelectTick({
  question,
  selection,
}: {
  readonly question: HubQuestion;
  readonly selection: Selection;
}): ReactElement | null {
  const { inbox, conversation } = useText();
  const state = selection.state(question);
  if (state === 'none') return null;
  const { label, subject } = toQuestionLine(question, inbox);
  return (
    <label className="select-tick small">
      <input
        type="checkbox"
        aria-label={conversation.labelled(inbox.select, `${label} ${subject}`)}
        checked={state === 'selected'}
        disabled={state === 'other'}
        onChange={() => selection.toggle(question)}
      />
      {inbox.select}
    </label>
  );
}
