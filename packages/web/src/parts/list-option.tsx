// No element of HTML is a list beside a field that keeps the focus.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import type { ReactElement, ReactNode } from 'react';

/** An entry of a list that is chosen from with the keys of a field beside it. */
export interface ListOptionProps {
  readonly id: string;
  readonly className: string;
  readonly isActive: boolean;
  readonly onPick: () => void;
  readonly children: ReactNode;
}

/** An option of a listbox. The focus stays in its text field. */
export function ListOption({ id, className, isActive, onPick, children }: ListOptionProps): ReactElement {
  return (
    <div
      id={id}
      className={className}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onPointerDown={(event) => {
        event.preventDefault();
      }}
      onClick={onPick}
      onKeyDown={() => {}}
    >
      {children}
    </div>
  );
}
