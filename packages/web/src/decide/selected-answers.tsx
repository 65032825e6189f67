import type { PermissionOption } from '@parley/acp';
import { useState, type ReactElement, type RefObject } from 'react';
import { useHubClient } from '../hub/use-hub.ts';
import { useText } from '../text/language.tsx';
import { Honest } from './honest.tsx';
import { isAnswered } from './is-answered.ts';
import { optionText } from './option-text.ts';
import { useReadable } from './use-readable.ts';
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
  const client = useHubClient();
  const [failed, setFailed] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const ids = selected.map(({ requestId }) => requestId).join('\n');
  const isReadable = useReadable(ids);
  const [earlyAt, setEarlyAt] = useState<string>();
  const [first] = selected;
  if (first === undefined || selected.length < 2) return null;
  const answer = async (index: number): Promise<void> => {
    if (!isReadable()) {
      setEarlyAt(ids);
      return;
    }
    setEarlyAt(undefined);
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
        (option, index) =>
          (option.kind === 'allow_once' || option.kind === 'reject_once') && (
            <button
              // Agents may give two options the same id.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              type="button"
              className={`button permission-action permission-${option.kind === 'allow_once' ? 'allow button-primary' : 'reject'}`}
              disabled={isBusy}
              onClick={() => void answer(index)}
            >
              <SelectedOption option={option} count={selected.length} />
            </button>
          ),
      )}
      <button type="button" className="button button-plain permission-action" onClick={clear}>
        {decide.clearSelection}
      </button>
      <output className="soft small">{earlyAt === ids && decide.tooEarly}</output>
      {failed > 0 && (
        <p className="question-error" role="alert">
          {decide.someFailed(failed)}
        </p>
      )}
    </section>
  );
}

function SelectedOption({
  option,
  count,
}: {
  readonly option: PermissionOption;
  readonly count: number;
}): ReactElement {
  const { decide } = useText();
  const { label, name } = optionText(option, decide);
  return (
    <span>
      {label} ({count})
      {name !== undefined && (
        <span className="permission-name">
          <Honest text={name} />
        </span>
      )}
    </span>
  );
}
