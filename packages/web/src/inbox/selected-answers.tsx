import type { PermissionOption } from '@parley/acp';
import { useState, type ReactElement, type RefObject } from 'react';
import { isAnswered } from '../hub/hub-error.ts';
import { useHubClient } from '../hub/use-hub.ts';
import { Honest } from '../parts/honest.tsx';
import { optionText } from '../permission/option-text.ts';
import { useReadable } from '../question/reading-time.ts';
import { useText } from '../text/language.tsx';
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
  const { inbox } = useText();
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
    <section className="selected-answers" aria-label={inbox.selectedCount(selected.length)}>
      <p>{inbox.selectedCount(selected.length)}</p>
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
        {inbox.clearSelection}
      </button>
      <output className="soft small">{earlyAt === ids && inbox.tooEarly}</output>
      {failed > 0 && (
        <p className="question-error" role="alert">
          {inbox.someFailed(failed)}
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
  const { inbox } = useText();
  const { label, name } = optionText(option, inbox);
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
