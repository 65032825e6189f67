import { X } from 'lucide-react';
import { useEffect, useId, useRef, type ReactElement, type ReactNode } from 'react';
import { useFirstText } from '../text/language.tsx';
import './dialog.css';

/** What is asked or shown before anything else. */
export interface DialogProps {
  readonly title: string;
  /** It was put away: by Esc, by its button, or by a press beside it. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** From the side, over a page that is narrow. @default in the middle */
  readonly isDrawer?: boolean;
}

/** A dialog, open as long as it is there. The browser keeps the focus in it, and gives it back. */
export function Dialog({ title, onClose, children, isDrawer = false }: DialogProps): ReactElement {
  const { parts } = useFirstText();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    // A press beside it is a shortcut for its button and for Esc.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={isDrawer ? 'dialog dialog-drawer' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
    >
      <div className="dialog-content">
        <header className="dialog-head">
          <h2 id={heading}>{title}</h2>
          <button
            type="button"
            className="button button-plain button-icon"
            title={parts.close}
            onClick={onClose}
          >
            <X aria-hidden size={18} />
            <span className="visually-hidden">{parts.close}</span>
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
