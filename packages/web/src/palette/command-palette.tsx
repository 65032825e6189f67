// No element of HTML is a list beside a field that keeps the focus.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { X } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { paletteFirst, paletteFound } from '../limits.ts';
import { useText } from '../text/language.tsx';
import { findEntries, paletteGroups, type PaletteEntry } from './palette-entry.ts';
import { usePaletteEntries } from './use-palette-entries.ts';
import './command-palette.css';

/** What the palette is opened with. */
export interface CommandPaletteProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** Before something is searched for, Enter does nothing: the first entry may be a mode that asks nothing. */
const nothing = -1;

/** All that can be done and gone to, by a few letters of its name. */
export function CommandPalette({ onClose, onShortcuts }: CommandPaletteProps): ReactElement {
  const { palette, parts } = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [query, setQuery] = useState('');
  const [wanted, setWanted] = useState(nothing);
  const all = usePaletteEntries(query, onShortcuts);
  const found = useMemo(
    () => findEntries(all, query, { first: paletteFirst, found: paletteFound }),
    [all, query],
  );
  const active = Math.min(wanted, found.length - 1);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    field.current?.focus();
    return () => shown?.close();
  }, []);
  useEffect(() => {
    document.getElementById(`${listId}-${String(active)}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);

  const choose = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    // When it is closed, the focus is back where it was; what is done may move it.
    setTimeout(entry.run);
  };
  const pressKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const count = Math.max(1, found.length);
    if (event.key === 'ArrowDown') setWanted((active + 1) % count);
    else if (event.key === 'ArrowUp') setWanted((Math.max(0, active) + count - 1) % count);
    else if (event.key === 'Enter') choose(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    // A press beside it is a shortcut for its button and for Esc.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label={palette.title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
    >
      <div className="palette-head">
        <input
          ref={field}
          className="field"
          role="combobox"
          aria-label={palette.title}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={active < 0 ? undefined : `${listId}-${String(active)}`}
          placeholder={palette.placeholder}
          value={query}
          onChange={({ target: { value } }) => {
            setQuery(value);
            setWanted(value.trim() === '' ? nothing : 0);
          }}
          onKeyDown={pressKey}
        />
        <button
          type="button"
          className="button button-plain button-icon"
          title={parts.close}
          onClick={onClose}
        >
          <X aria-hidden size={18} />
          <span className="visually-hidden">{parts.close}</span>
        </button>
      </div>
      <div id={listId} className="palette-list" role="listbox" aria-label={palette.title}>
        {paletteGroups.map((group) => {
          const entries = found.filter((entry) => entry.group === group);
          if (entries.length === 0) return null;
          const headingId = `${listId}-${group}`;
          return (
            <div key={group} role="group" aria-labelledby={headingId}>
              <div id={headingId} role="presentation" className="palette-heading soft small">
                {palette.groups[group]}
              </div>
              {entries.map((entry) => {
                const index = found.indexOf(entry);
                return (
                  <div
                    key={entry.id}
                    id={`${listId}-${String(index)}`}
                    className="palette-entry"
                    role="option"
                    tabIndex={-1}
                    aria-selected={index === active}
                    onPointerDown={(event) => {
                      // The focus stays in the field.
                      event.preventDefault();
                    }}
                    onClick={() => {
                      choose(entry);
                    }}
                    onKeyDown={() => {}}
                  >
                    <span>{entry.label}</span>
                    {entry.note !== undefined && (
                      <span className="palette-note soft small">{entry.note}</span>
                    )}
                  </div>
                );
              })}
            </div>
          );
        })}
      </div>
      <output className={found.length > 0 ? 'visually-hidden' : 'palette-status soft'}>
        {found.length === 0 ? palette.nothing : palette.found(found.length)}
      </output>
    </dialog>
  );
}
