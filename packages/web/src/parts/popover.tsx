import {
  createContext,
  use,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react';
import './popover.css';

/** A button, and what it opens. */
export interface PopoverProps {
  /** What the button is called. */
  readonly label: string;
  readonly button: ReactNode;
  readonly className?: string;
  readonly disabled?: boolean;
  /** What kind of thing opens. @default dialog */
  readonly opens?: 'dialog' | 'listbox';
  /** What is opened; it is there only while it is. */
  readonly children: ReactNode;
}

const CloseContext = createContext(() => {});

/** Returns a function that closes the popover and focuses its button. */
export function usePopoverClose(): () => void {
  return use(CloseContext);
}

/** A button that opens a popover; Esc or a click outside closes it. */
export function Popover(props: PopoverProps): ReactElement {
  const { label, button, className = 'button', disabled = false, opens = 'dialog', children } = props;
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const place = (): void => {
      if (opener.current !== null && panel.current !== null) placeBeside(panel.current, opener.current);
    };
    place();
    addEventListener('resize', place);
    return () => {
      removeEventListener('resize', place);
    };
  }, [isOpen]);
  const close = useCallback(() => {
    panel.current?.hidePopover();
    opener.current?.focus();
  }, []);
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup={opens}
        aria-expanded={isOpen}
        disabled={disabled}
        popoverTarget={id}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        className="popover"
        popover="auto"
        role={opens === 'dialog' ? 'dialog' : undefined}
        aria-label={opens === 'dialog' ? label : undefined}
        onToggle={({ newState }) => {
          setIsOpen(newState === 'open');
        }}
      >
        {isOpen && <CloseContext value={close}>{children}</CloseContext>}
      </div>
    </>
  );
}

/** Positions the panel above or below the button, where there is more space, and within the window. */
function placeBeside(panel: HTMLElement, opener: HTMLElement): void {
  const gap = 6;
  const { top, bottom, left } = opener.getBoundingClientRect();
  const below = innerHeight - bottom;
  const isAbove = top > below;
  const { style } = panel;
  style.maxHeight = `${String(Math.max(top, below) - 2 * gap)}px`;
  style.left = `${String(Math.max(gap, Math.min(left, innerWidth - panel.offsetWidth - gap)))}px`;
  style.top = isAbove ? 'auto' : `${String(bottom + gap)}px`;
  style.bottom = isAbove ? `${String(innerHeight - top + gap)}px` : 'auto';
}
