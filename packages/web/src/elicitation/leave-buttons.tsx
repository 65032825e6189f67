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
  const { inbox } = useText();
  return (
    <>
      <button
        type="button"
        className="button permission-action"
        aria-disabled={isBusy}
        title={inbox.declineHelp}
        onClick={() => onLeave('decline')}
      >
        {inbox.decline}
      </button>
      <button
        type="button"
        className="button button-plain permission-action"
        aria-disabled={isBusy}
        title={inbox.cancelHelp}
        onClick={() => onLeave('cancel')}
      >
        {inbox.cancel}
      </button>
    </>
  );
}
