import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';

/** What stands before everything else, and what it is called. */
export interface ModalProps {
  readonly className: string;
  readonly name: { readonly 'aria-label': string } | { readonly 'aria-labelledby': string };
  /** It was put away: by Esc, or by a press beside it. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Something before everything else, open as long as it is there. The browser keeps the focus in it, and gives it back. */
export function Modal({ className, name, onClose, children }: ModalProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
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
      className={className}
      {...name}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
