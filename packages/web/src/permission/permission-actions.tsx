import { Ban, Check, CheckCheck, CircleHelp, MessageSquareX, TimerReset, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Honest } from '../parts/honest.tsx';
import { Answers } from '../question/answers.tsx';
import { useText } from '../text/language.tsx';
import { optionText } from './option-text.ts';
import type { PermissionChoice } from './permission-choice.ts';
import './permission-actions.css';

/** The answers to a permission question. */
export interface PermissionActionsProps {
  readonly choices: readonly PermissionChoice[];
  readonly isBusy: boolean;
  readonly onChoose: (choice: PermissionChoice) => void;
  /** Opens what an answer could count for beyond this call. */
  readonly onRemember?: () => void;
  /** Asks for the reason of a rejection. */
  readonly onReason?: () => void;
  /** Nothing the agent offers rejects. */
  readonly onDismiss?: () => void;
}

/** The agent's options, each by what it does, and ours beside them; with the keys that do the same. */
export function PermissionActions(props: PermissionActionsProps): ReactElement {
  const { inbox } = useText();
  const { choices, isBusy, onRemember, onReason, onDismiss } = props;
  return (
    <Answers>
      <Options
        {...props}
        choices={choices.filter(({ isAlways, meaning }) => !isAlways && meaning !== 'unknown')}
      />
      {onDismiss !== undefined && (
        <button
          type="button"
          className="button permission-action"
          aria-disabled={isBusy}
          aria-keyshortcuts="r"
          title={inbox.dismissHelp}
          onClick={onDismiss}
        >
          <X size={16} aria-hidden /> {inbox.dismiss} <kbd aria-hidden>r</kbd>
        </button>
      )}
      {onReason !== undefined && (
        <button
          type="button"
          className="button button-plain permission-action"
          aria-disabled={isBusy}
          aria-keyshortcuts="Shift+R"
          onClick={onReason}
        >
          <MessageSquareX size={16} aria-hidden /> {inbox.rejectWithReason} <kbd aria-hidden>R</kbd>
        </button>
      )}
      {onRemember !== undefined && (
        <button
          type="button"
          className="button button-plain permission-action"
          aria-disabled={isBusy}
          aria-keyshortcuts="Shift+A"
          onClick={onRemember}
        >
          <TimerReset size={16} aria-hidden /> {inbox.always} <kbd aria-hidden>A</kbd>
        </button>
      )}
      <Options
        {...props}
        choices={choices.filter(({ isAlways, meaning }) => isAlways || meaning === 'unknown')}
      />
    </Answers>
  );
}

function Options({
  choices,
  isBusy,
  onChoose,
}: Pick<PermissionActionsProps, 'choices' | 'isBusy' | 'onChoose'>): ReactElement | null {
  if (choices.length === 0) return null;
  return (
    <span className="permission-options">
      {choices.map((choice, index) => (
        // Agents may give two options the same id.
        // oxlint-disable-next-line react/no-array-index-key
        <Option key={index} choice={choice} isBusy={isBusy} onChoose={onChoose} />
      ))}
    </span>
  );
}

function Option({
  choice,
  isBusy,
  onChoose,
}: {
  readonly choice: PermissionChoice;
  readonly isBusy: boolean;
  readonly onChoose: (choice: PermissionChoice) => void;
}): ReactElement {
  const { inbox } = useText();
  const { option, meaning, isAlways, keys } = choice;
  const { label, name } = optionText(option, inbox);
  const isMain = keys.includes('a');
  return (
    <button
      type="button"
      className={`button permission-action permission-${meaning}${isMain ? ' button-primary' : ''}`}
      aria-disabled={isBusy}
      aria-keyshortcuts={keys.join(' ')}
      onClick={() => onChoose(choice)}
    >
      <OptionIcon meaning={meaning} isAlways={isAlways} />
      <span>
        <Honest text={label} />
        {name !== undefined && (
          <span className="permission-name">
            <Honest text={name} />
          </span>
        )}
      </span>
      <span className="permission-keys" aria-hidden>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </button>
  );
}

function OptionIcon({ meaning, isAlways }: Pick<PermissionChoice, 'meaning' | 'isAlways'>): ReactElement {
  switch (meaning) {
    case 'allow':
      return isAlways ? <CheckCheck size={16} aria-hidden /> : <Check size={16} aria-hidden />;
    case 'reject':
      return isAlways ? <Ban size={16} aria-hidden /> : <X size={16} aria-hidden />;
    case 'unknown':
      return <CircleHelp size={16} aria-hidden />;
  }
}
