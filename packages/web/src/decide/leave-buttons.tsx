import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';

/** The two ways not to answer: to say no, and to say nothing. */
export function LeaveButtons({
  isBusy,
  onLeave,
}: {
  readonly isBusy: boolean;
  readonly onLeave: (action: 'decline' | 'cancel') => void;
}): ReactElement {
  const { decide } = useText();
  return (
    <>
      <button
        type="button"
        className="button permission-action"
        aria-disabled={isBusy}
        title={decide.declineHelp}
        onClick={() => onLeave('decline')}
      >
        {decide.decline}
      </button>
      <button
        type="button"
        className="button button-plain permission-action"
        aria-disabled={isBusy}
        title={decide.cancelHelp}
        onClick={() => onLeave('cancel')}
      >
        {decide.cancel}
      </button>
    </>
  );
}
