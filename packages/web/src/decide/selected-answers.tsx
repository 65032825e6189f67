import { useState, type ReactElement, type RefObject } from 'react';
import { useDeskClient } from '../desk/use-desk.ts';
import { useText } from '../text/language.tsx';
import { Honest } from './honest.tsx';
import { isAnswered } from './is-answered.ts';
import type { Selection } from './use-selection.ts';

/** Answers the selected questions alike, each on its own, with what the agent offers for one call. */
export function SelectedAnswers({
  selection,
  answeredHere,
}: {
  readonly selection: Selection;
  /** Where it is noted what is answered from here. */
  readonly answeredHere: RefObject<Set<string>>;
}): ReactElement | null {
  const { selected, clear } = selection;
  const { decide } = useText();
  const client = useDeskClient();
  const [failed, setFailed] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [first] = selected;
  if (first === undefined || selected.length < 2) return null;
  const answer = async (index: number): Promise<void> => {
    setBusy(true);
    const outcomes = await Promise.allSettled(
      selected.map(async ({ key, requestId, request }) => {
        const option = request.options[index];
        if (option !== undefined) {
          answeredHere.current.add(requestId);
          await client.answer(key, requestId, { kind: 'option', optionId: option.optionId });
        }
      }),
    );
    const refused = outcomes.filter(
      (outcome) => outcome.status === 'rejected' && !isAnswered(outcome.reason),
    );
    setBusy(false);
    setFailed(refused.length);
    if (refused.length === 0) clear();
  };
  return (
    <section className="selected-answers" aria-label={decide.selectedCount(selected.length)}>
      <p>{decide.selectedCount(selected.length)}</p>
      {first.request.options.map(
        ({ name, kind }, index) =>
          (kind === 'allow_once' || kind === 'reject_once') && (
            <button
              // Agents may give two options the same id.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              type="button"
              className={`button permission-action permission-${kind === 'allow_once' ? 'allow button-primary' : 'reject'}`}
              disabled={isBusy}
              onClick={() => void answer(index)}
            >
              <Honest text={name} /> ({selected.length})
            </button>
          ),
      )}
      <button type="button" className="button button-plain permission-action" onClick={clear}>
        {decide.clearSelection}
      </button>
      {failed > 0 && (
        <p className="question-error" role="alert">
          {decide.someFailed(failed)}
        </p>
      )}
    </section>
  );
}
