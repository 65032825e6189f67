import { useEffect, useRef, type ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { countLines } from './attachment.ts';
import './paste-dialog.css';

/** A pasted text, and what becomes of it. */
export interface PasteDialogProps {
  readonly text: string;
  /** Also with Escape: what was changed counts. */
  readonly onDone: (text: string) => void;
  readonly onInsert: (text: string) => void;
}

/** Shows a long pasted text, which can be changed, or put into the box after all. */
export function PasteDialog({ text, onDone, onInsert }: PasteDialogProps): ReactElement {
  const { prompt } = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const written = (): string => field.current?.value ?? text;
  return (
    <dialog
      ref={dialog}
      className="paste-dialog"
      aria-label={prompt.pasted(countLines(text))}
      onClose={() => {
        onDone(written());
      }}
    >
      <textarea
        ref={field}
        className="field paste-dialog-text"
        aria-label={prompt.pasted(countLines(text))}
        defaultValue={text}
        spellCheck={false}
      />
      <div className="paste-dialog-bar">
        <button
          type="button"
          className="button"
          onClick={() => {
            onInsert(written());
          }}
        >
          {prompt.pasteIntoBox}
        </button>
        <button
          type="button"
          className="button button-primary"
          onClick={() => {
            dialog.current?.close();
          }}
        >
          {prompt.pasteDone}
        </button>
      </div>
    </dialog>
  );
}
