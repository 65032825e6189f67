// No element of HTML is a list beside a field that keeps the focus.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { paletteFirst, paletteFound } from '../limits.ts';
import { CloseButton } from '../parts/dialog.tsx';
import { ListOption } from '../parts/list-option.tsx';
import { Modal } from '../parts/modal.tsx';
import { useText } from '../text/language.tsx';
import { findEntries, paletteGroups, type PaletteEntry } from './palette-entry.ts';
import { usePaletteEntries } from './use-palette-entries.ts';
import './command-palette.css';

/** What the palette is opened with. */
export interface CommandPaletteProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** No entry is selected before a search: the first one may be a mode that asks nothing. */
const nothing = -1;

/** Finds actions and pages by a few letters of their name. */
export function CommandPalette({ onClose, onShortcuts }: CommandPaletteProps): ReactElement {
  const { palette } = useText();
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
    field.current?.focus();
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
    <Modal className="dialog palette" name={{ 'aria-label': palette.title }} onClose={onClose}>
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
        <CloseButton onClose={onClose} />
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
                  <ListOption
                    key={entry.id}
                    id={`${listId}-${String(index)}`}
                    className="palette-entry"
                    isActive={index === active}
                    onPick={() => {
                      choose(entry);
                    }}
                  >
                    <span>{entry.label}</span>
                    {entry.note !== undefined && (
                      <span className="palette-note soft small">{entry.note}</span>
                    )}
                  </ListOption>
                );
              })}
            </div>
          );
        })}
      </div>
      <output className={found.length > 0 ? 'visually-hidden' : 'palette-status soft'}>
        {found.length === 0 ? palette.nothing : palette.found(found.length)}
      </output>
    </Modal>
  );
}
