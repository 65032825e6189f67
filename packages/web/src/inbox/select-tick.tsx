import type { HubQuestion } from '@parley/host/hub';
import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import type { Selection } from './use-selection.ts';

/** Selects a question to be answered together with others of its kind. */
export function SelectTick({
  question,
  selection,
}: {
  readonly question: HubQuestion;
  readonly selection: Selection;
}): ReactElement | null {
  const { inbox } = useText();
  const state = selection.state(question);
  if (state === 'none') return null;
  return (
    <label className="select-tick small">
      <input
        type="checkbox"
        checked={state === 'selected'}
        disabled={state === 'other'}
        onChange={() => selection.toggle(question)}
      />
      {inbox.select}
    </label>
  );
}
