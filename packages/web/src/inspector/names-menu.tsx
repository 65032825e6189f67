import { ChevronDown } from 'lucide-react';
import { useRef, type ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import './names-menu.css';

/** Props of {@link NamesMenu}. */
export interface NamesMenuProps {
  /** How often each name is there. */
  readonly names: ReadonlyMap<string, number>;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Chooses methods, and kinds of updates, to be shown. */
export function NamesMenu({ names, chosen, onChoose }: NamesMenuProps): ReactElement {
  const { inspector: text } = useText();
  const details = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (details.current !== null) details.current.open = false;
  };
  // What is chosen stays in the list, though the last of it may be dropped.
  const all = [...new Set([...names.keys(), ...chosen])].toSorted();
  return (
    // The events that bubble up here are those of the controls inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details
      ref={details}
      className="names-menu"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || details.current?.open !== true) return;
        event.stopPropagation();
        close();
        details.current.querySelector('summary')?.focus();
      }}
    >
      <summary className="button">
        {chosen.size === 0 ? text.methods : text.methodsChosen(chosen.size)}
        <ChevronDown size={14} aria-hidden />
      </summary>
      <div className="names-menu-list" tabIndex={-1}>
        <button
          type="button"
          className="button button-plain small"
          disabled={chosen.size === 0}
          onClick={() => {
            onChoose(new Set());
          }}
        >
          {text.allMethods}
        </button>
        {all.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={chosen.has(name)}
              onChange={({ target }) => {
                const others = new Set(chosen);
                if (target.checked) others.add(name);
                else others.delete(name);
                onChoose(others);
              }}
            />
            <span>{name.replace(' ', ' · ')}</span>
            <span className="soft">{names.get(name) ?? 0}</span>
          </label>
        ))}
      </div>
    </details>
  );
}
