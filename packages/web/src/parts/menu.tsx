import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import './menu.css';

/** Something that can be chosen. */
export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly onChoose: () => void;
  readonly isDangerous?: boolean;
}

/** Props of {@link Menu}. */
export interface MenuProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly items: readonly MenuItem[];
}

/** A button that opens a menu: arrow keys move in it, Esc closes it and goes back to the button. */
export function Menu({ label, icon, items }: MenuProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    focusItem(whole.current, 0);
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Node && whole.current?.contains(target) === false) setIsOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);
  const close = (): void => {
    setIsOpen(false);
    button.current?.focus();
  };
  const move = (event: KeyboardEvent): void => {
    const at = itemsIn(whole.current).findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) focusItem(whole.current, to);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Tab') setIsOpen(false);
    if (to === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="menu" ref={whole}>
      <button
        ref={button}
        type="button"
        className="button button-plain button-icon"
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setIsOpen(true);
        }}
      >
        {icon}
        <span className="visually-hidden">{label}</span>
      </button>
      {isOpen && (
        <div id={list} role="menu" aria-label={label} tabIndex={-1} className="menu-list" onKeyDown={move}>
          {items.map(({ label: name, icon: sign, onChoose, isDangerous }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={isDangerous === true ? 'menu-item menu-item-danger' : 'menu-item'}
              onClick={() => {
                close();
                onChoose();
              }}
            >
              {sign}
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function itemsIn(menu: HTMLElement | null): readonly HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}

/** Past the last is the first, and before the first is the last. */
function focusItem(menu: HTMLElement | null, index: number): void {
  const items = itemsIn(menu);
  items.at(index >= items.length ? 0 : index)?.focus();
}
