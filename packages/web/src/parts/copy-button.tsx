import { Check, Copy } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import { useFirstText } from '../text/language.tsx';

/** What is copied, and how the button is called. */
export interface CopyButtonProps {
  /** The text to copy, or a function that creates it when the button is pressed. */
  readonly text: string | (() => string);
  /** What the button does, such as "Copy the command". */
  readonly label: string;
  /** Whether to show the label next to the icon. @default false */
  readonly isLabelShown?: boolean;
}

/** A button that copies a text and confirms it. */
export function CopyButton({ text, label, isLabelShown = false }: CopyButtonProps): ReactElement {
  const { parts } = useFirstText();
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => {
      setOutcome(undefined);
    }, 2000);
    return () => {
      clearTimeout(timer);
    };
  }, [outcome]);
  const said = outcome === 'copied' ? parts.copied : parts.copyFailed;
  return (
    <button
      type="button"
      className={isLabelShown ? 'button' : 'button button-plain'}
      title={label}
      onClick={() => {
        copy(typeof text === 'string' ? text : text()).then(
          () => {
            setOutcome('copied');
          },
          () => {
            setOutcome('failed');
          },
        );
      }}
    >
      {outcome === 'copied' ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      <span className={isLabelShown ? undefined : 'visually-hidden'}>{label}</span>
      <output className={outcome === 'failed' ? 'small' : 'visually-hidden'}>
        {outcome !== undefined && said}
      </output>
    </button>
  );
}

/** Pages that did not come over TLS or from this machine have no clipboard: there is an older way. */
async function copy(text: string): Promise<void> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  const before = document.activeElement;
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('the browser does not copy');
}
