import { X } from 'lucide-react';
import { useId, type ReactElement, type ReactNode } from 'react';
import { useFirstText } from '../text/language.tsx';
import { Modal } from './modal.tsx';
import './dialog.css';

/** Props of {@link Dialog}. */
export interface DialogProps {
  readonly title: string;
  /** Called when it is closed by Esc, by its button, or by a click outside. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** From the side, over a page that is narrow. @default in the middle */
  readonly isDrawer?: boolean;
}

/** A dialog with a title. */
export function Dialog({ title, onClose, children, isDrawer = false }: DialogProps): ReactElement {
  const heading = useId();
  return (
    <Modal
      className={isDrawer ? 'dialog dialog-drawer' : 'dialog'}
      name={{ 'aria-labelledby': heading }}
      onClose={onClose}
    >
      <div className="dialog-content">
        <header className="dialog-head">
          <h2 id={heading}>{title}</h2>
          <CloseButton onClose={onClose} />
        </header>
        {children}
      </div>
    </Modal>
  );
}

/** The button that puts something away. */
export function CloseButton({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { parts } = useFirstText();
  return (
    <button type="button" className="button button-plain button-icon" title={parts.close} onClick={onClose}>
      <X aria-hidden size={18} />
      <span className="visually-hidden">{parts.close}</span>
    </button>
  );
}
