import { toPermissionChoices } from '@parley/host/state';
import { Check, X } from 'lucide-react';
import { useState, type ReactElement, type RefObject } from 'react';
import { isAnswered } from '../hub/hub-error.ts';
import { useHubClient } from '../hub/use-hub.ts';
import { useReadable } from '../question/reading-time.ts';
import { useText } from '../text/language.tsx';
import type { Selection } from './use-selection.ts';

/** Allows or rejects the selected requests, each on its own and for one call. */
export function SelectedAnswers({
  selection,
  answeredHere,
}: {
  readonly selection: Selection;
  /** Collects the questions that are answered here. */
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
  if (selected.length < 2) return null;
  const answer = async (decision: 'allow' | 'reject'): Promise<void> => {
    if (!isReadable()) {
      setEarlyAt(ids);
      return;
    }
    setEarlyAt(undefined);
    setBusy(true);
    const outcomes = await Promise.allSettled(
      selected.map(async ({ key, requestId, request }) => {
        const option = toPermissionChoices(request.options)[decision];
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
      <button
        type="button"
        className="button button-primary permission-action permission-allow"
        disabled={isBusy}
        onClick={() => void answer('allow')}
      >
        <Check size={16} aria-hidden /> {inbox.optionKinds.allow_once} ({selected.length})
      </button>
      <button
        type="button"
        className="button permission-action permission-reject"
        disabled={isBusy}
        onClick={() => void answer('reject')}
      >
        <X size={16} aria-hidden /> {inbox.optionKinds.reject_once} ({selected.length})
      </button>
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
