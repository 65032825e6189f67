import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';

/** The buttons to decline and to dismiss a question. */
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
