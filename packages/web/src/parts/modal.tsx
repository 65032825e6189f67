import { useLayoutEffect, useRef, type ReactElement, type ReactNode } from 'react';

/** Props of {@link Modal}. */
export interface ModalProps {
  readonly className: string;
  readonly name: { readonly 'aria-label': string } | { readonly 'aria-labelledby': string };
  /** Called when it is closed by Esc or by a click outside. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog, open while it is rendered. The browser keeps the focus inside, and returns it at the end. */
export function Modal({ className, name, onClose, children }: ModalProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before anything is painted, and before it is removed: no key goes elsewhere.
  useLayoutEffect(() => {
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
