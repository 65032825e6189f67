// No element of HTML is a list whose entries say more than a name.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { Check } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { usePopoverClose } from '../parts/popover.tsx';
import { useText } from '../text/language.tsx';
import { searchChoices, type Choice, type ChoiceSetting } from './setting.ts';
import './choice-list.css';

/** What can be chosen. */
export interface ChoiceListProps {
  readonly label: string;
  readonly setting: ChoiceSetting;
  readonly onChoose: (value: string) => void;
}

/** From how many on they can be searched. */
const searchedCount = 8;

/** The choices of a setting with descriptions: arrow keys move, Enter chooses, letters search. */
export function ChoiceList({ label, setting, onChoose }: ChoiceListProps): ReactElement {
  const close = usePopoverClose();
  const { prompt } = useText();
  const id = useId();
  const [query, setQuery] = useState('');
  const { groups, value } = setting;
  const all = groups.flatMap(({ choices }) => choices);
  const isSearched = all.length > searchedCount;
  const shown = searchChoices(groups, query);
  const choices = shown.flatMap((group) => group.choices);
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      all.findIndex((choice) => choice.value === value),
    ),
  );
  const focused = useRef<HTMLElement>(null);
  useEffect(() => {
    focused.current?.focus({ preventScroll: true });
  }, []);
  const choose = (chosen: string): void => {
    close();
    onChoose(chosen);
  };
  const steer = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || choices.length === 0) return;
    const last = choices.length - 1;
    const chosen = choices[active];
    if (event.key === 'ArrowDown') setActive(active >= last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') setActive(active <= 0 ? last : active - 1);
    else if (event.key === 'Home' && !isSearched) setActive(0);
    else if (event.key === 'End' && !isSearched) setActive(last);
    else if ((event.key === 'Enter' || (event.key === ' ' && !isSearched)) && chosen !== undefined) {
      choose(chosen.value);
    } else return;
    event.preventDefault();
  };
  const activeId = choices[active] === undefined ? undefined : `${id}-${String(active)}`;
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const options = (
    <Groups id={id} setting={{ ...setting, groups: shown }} active={active} onChoose={choose} />
  );
  if (!isSearched) {
    return (
      <div
        ref={(element) => {
          focused.current = element;
        }}
        className="choices"
        role="listbox"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={activeId}
        onKeyDown={steer}
      >
        {options}
      </div>
    );
  }
  return (
    <>
      <input
        ref={(element) => {
          focused.current = element;
        }}
        className="field choices-search"
        type="search"
        role="combobox"
        aria-label={`${prompt.searchChoices}: ${label}`}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={activeId}
        placeholder={prompt.searchChoices}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setActive(0);
        }}
        onKeyDown={steer}
      />
      <div id={id} className="choices choices-long" role="listbox" aria-label={label} tabIndex={-1}>
        {options}
      </div>
      <output className={choices.length === 0 ? 'choices-none soft small' : 'visually-hidden'}>
        {choices.length === 0 ? prompt.noChoice : prompt.found(choices.length)}
      </output>
    </>
  );
}

interface GroupsProps {
  readonly id: string;
  readonly setting: ChoiceSetting;
  readonly active: number;
  readonly onChoose: (value: string) => void;
}

function Groups({ id, setting, active, onChoose }: GroupsProps): ReactElement {
  return (
    <>
      {setting.groups.map(({ name, choices }, group) => {
        const from = setting.groups.slice(0, group).flatMap((each) => each.choices).length;
        const options = choices.map((choice, index) => (
          <Option
            key={choice.value}
            id={`${id}-${String(from + index)}`}
            choice={choice}
            isChosen={choice.value === setting.value}
            isActive={from + index === active}
            onChoose={onChoose}
          />
        ));
        if (name === undefined) return options;
        const heading = `${id}-group-${String(group)}`;
        return (
          <div key={name} role="group" aria-labelledby={heading}>
            <p id={heading} className="choices-group soft small">
              {name}
            </p>
            {options}
          </div>
        );
      })}
    </>
  );
}

interface OptionProps {
  readonly id: string;
  readonly choice: Choice;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  readonly onChoose: (value: string) => void;
}

function Option({ id, choice, isChosen, isActive, onChoose }: OptionProps): ReactElement {
  const { prompt } = useText();
  const { value, name, description, asksNothing } = choice;
  return (
    // The keys are those of the list.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      className="choice"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-active={isActive}
      onClick={() => {
        onChoose(value);
      }}
    >
      <Check className={isChosen ? undefined : 'choice-unchosen'} size={16} aria-hidden />
      <div>
        <p>
          {name} {asksNothing === true && <span className="choice-trusting small">{prompt.asksNothing}</span>}
        </p>
        {description !== undefined && <p className="soft small">{description}</p>}
        {asksNothing === true && description === undefined && (
          <p className="soft small">{prompt.asksNothingLong}</p>
        )}
      </div>
    </div>
  );
}
