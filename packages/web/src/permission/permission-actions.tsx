import type { PermissionOption } from '@parley/acp';
import type { PermissionChoices } from '@parley/host/state';
import { Check, ChevronDown, CircleHelp, MessageSquareX, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Answers } from '../question/answers.tsx';
import { useText } from '../text/language.tsx';
import { OptionLabel } from './option-label.tsx';
import './permission-actions.css';

/** A part of a card that opens below its buttons. */
export type PermissionPanel = 'always' | 'feedback';

/** The answers to a permission request. */
export interface PermissionActionsProps {
  readonly choices: PermissionChoices;
  readonly isBusy: boolean;
  readonly onChoose: (option: PermissionOption) => void;
  /** Cancels the request of an agent that offers no way to reject it. */
  readonly onDismiss: () => void;
  readonly onOpen: (panel: PermissionPanel) => void;
}

/** Allow, reject, and what opens further answers; with the keys of the first two. */
export function PermissionActions(props: PermissionActionsProps): ReactElement {
  const { inbox } = useText();
  const { choices, isBusy, onChoose, onDismiss, onOpen } = props;
  const { allow, reject, others, always } = choices;
  return (
    <Answers>
      {allow !== undefined && (
        <button
          type="button"
          className="button button-primary permission-action permission-allow"
          aria-disabled={isBusy}
          aria-keyshortcuts="a"
          onClick={() => onChoose(allow)}
        >
          <Check size={16} aria-hidden />
          <OptionLabel option={allow} />
          <kbd aria-hidden>a</kbd>
        </button>
      )}
      {reject === undefined ? (
        <button
          type="button"
          className="button permission-action permission-reject"
          aria-disabled={isBusy}
          aria-keyshortcuts="r"
          title={inbox.dismissHelp}
          onClick={onDismiss}
        >
          <X size={16} aria-hidden /> {inbox.dismiss} <kbd aria-hidden>r</kbd>
        </button>
      ) : (
        <button
          type="button"
          className="button permission-action permission-reject"
          aria-disabled={isBusy}
          aria-keyshortcuts="r"
          onClick={() => onChoose(reject)}
        >
          <X size={16} aria-hidden />
          <OptionLabel option={reject} />
          <kbd aria-hidden>r</kbd>
        </button>
      )}
      {others.map((option, index) => (
        <button
          // Agents may give two options the same id.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          type="button"
          className="button permission-action"
          aria-disabled={isBusy}
          onClick={() => onChoose(option)}
        >
          {option.kind === 'unknown' && <CircleHelp size={16} aria-hidden />}
          <OptionLabel option={option} />
        </button>
      ))}
      {always !== undefined && (
        <button
          type="button"
          className="button button-plain permission-action"
          aria-disabled={isBusy}
          aria-expanded={false}
          data-panel="always"
          onClick={() => onOpen('always')}
        >
          {inbox.always} <ChevronDown size={16} aria-hidden />
        </button>
      )}
      {reject !== undefined && (
        <button
          type="button"
          className="button button-plain permission-action"
          aria-disabled={isBusy}
          aria-expanded={false}
          data-panel="feedback"
          onClick={() => onOpen('feedback')}
        >
          <MessageSquareX size={16} aria-hidden /> {inbox.rejectWithReason}
        </button>
      )}
    </Answers>
  );
}
