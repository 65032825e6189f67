import { useEffect, useRef, type ReactElement } from 'react';
import { isSendKey, toPressedKey } from '../prompt/send-key.ts';
import { useSendKey } from '../prompt/use-send-key.ts';
import { useText } from '../text/language.tsx';

/** A queued prompt that is being changed. */
export interface QueuedEditProps {
  /** From 1. */
  readonly place: number;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** Where the text of a queued prompt is changed, in its place. */
export function QueuedEdit({ place, text, onText, onSave, onCancel }: QueuedEditProps): ReactElement {
  const { prompt } = useText();
  const [sendKey] = useSendKey();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  return (
    <div className="queued-edit">
      <textarea
        ref={field}
        className="field queued-field"
        aria-label={prompt.queued(place)}
        value={text}
        onChange={({ target: { value } }) => {
          onText(value);
        }}
        onKeyDown={(event) => {
          const pressed = toPressedKey(event.nativeEvent);
          if (pressed.key === 'Escape' && !pressed.isComposing) onCancel();
          else if (isSendKey(pressed, sendKey)) onSave();
          else return;
          event.preventDefault();
        }}
      />
      <button type="button" className="button button-primary" onClick={onSave}>
        {prompt.save}
      </button>
      <button type="button" className="button button-plain" onClick={onCancel}>
        {prompt.cancel}
      </button>
    </div>
  );
}
