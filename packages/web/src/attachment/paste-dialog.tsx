import { useRef, type ReactElement } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { useText } from '../text/language.tsx';
import { countLines } from './attachment.ts';
import './paste-dialog.css';

/** Props of {@link PasteDialog}. */
export interface PasteDialogProps {
  readonly text: string;
  /** Called with the edited text when the dialog is closed in any way. */
  readonly onDone: (text: string) => void;
  readonly onInsert: (text: string) => void;
}

/** Shows a long pasted text, which can be changed, or put into the box after all. */
export function PasteDialog({ text, onDone, onInsert }: PasteDialogProps): ReactElement {
  const { prompt } = useText();
  const field = useRef<HTMLTextAreaElement>(null);
  const title = prompt.pasted(countLines(text));
  const done = (): void => {
    onDone(field.current?.value ?? text);
  };
  return (
    <Dialog title={title} onClose={done}>
      <textarea
        ref={field}
        className="field paste-text"
        aria-label={title}
        defaultValue={text}
        spellCheck={false}
      />
      <div className="dialog-actions">
        <button
          type="button"
          className="button"
          onClick={() => {
            onInsert(field.current?.value ?? text);
          }}
        >
          {prompt.pasteIntoBox}
        </button>
        <button type="button" className="button button-primary" onClick={done}>
          {prompt.pasteDone}
        </button>
      </div>
    </Dialog>
  );
}
