import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { isEmpty, type FrameFilter } from './frame-filter.ts';
import { NamesMenu } from './names-menu.tsx';

/** What a bar of filters shows. */
export interface FilterBarProps {
  readonly filter: FrameFilter;
  readonly onFilter: (filter: FrameFilter) => void;
  readonly names: ReadonlyMap<string, number>;
  /** The turn that is shown alone, where one is. */
  readonly turn: number | undefined;
}

const nothing: ReadonlySet<string> = new Set();

/** Chooses which frames are shown. */
export function FilterBar({ filter, onFilter, names, turn }: FilterBarProps): ReactElement {
  const { inspector: text } = useText();
  const { direction, isBad, slowerThanMs, prompt, toolCall, ...others } = filter;
  return (
    <search className="filter-bar">
      <input
        type="search"
        className="field filter-text"
        aria-label={text.search}
        placeholder={text.search}
        value={filter.text ?? ''}
        onChange={({ target: { value } }) => {
          onFilter({ ...filter, text: value });
        }}
      />
      <select
        className="field filter-choice"
        aria-label={text.direction}
        value={direction ?? ''}
        onChange={({ target: { value } }) => {
          const { direction: _before, ...rest } = filter;
          onFilter(value === 'in' || value === 'out' ? { ...rest, direction: value } : rest);
        }}
      >
        <option value="">{text.bothDirections}</option>
        <option value="in">{text.fromAgent}</option>
        <option value="out">{text.toAgent}</option>
      </select>
      <NamesMenu
        names={names}
        chosen={others.names ?? nothing}
        onChoose={(chosen) => {
          onFilter({ ...filter, names: chosen });
        }}
      />
      <label className="filter-number">
        {text.slowerThan}
        <input
          type="number"
          className="field"
          min={0}
          step={100}
          value={slowerThanMs ?? ''}
          onChange={({ target: { valueAsNumber } }) => {
            const { slowerThanMs: _before, ...rest } = filter;
            onFilter(Number.isNaN(valueAsNumber) ? rest : { ...rest, slowerThanMs: valueAsNumber });
          }}
        />
        {text.milliseconds}
      </label>
      <label className="filter-check">
        <input
          type="checkbox"
          checked={isBad === true}
          onChange={({ target: { checked } }) => {
            const { isBad: _before, ...rest } = filter;
            onFilter(checked ? { ...rest, isBad: true } : rest);
          }}
        />
        {text.problemsOnly}
      </label>
      {prompt !== undefined && (
        <Chip
          name={text.onlyTurn(turn)}
          onRemove={() => {
            const { prompt: _before, ...rest } = filter;
            onFilter(rest);
          }}
        />
      )}
      {toolCall !== undefined && (
        <Chip
          name={text.onlyCall}
          onRemove={() => {
            const { toolCall: _before, ...rest } = filter;
            onFilter(rest);
          }}
        />
      )}
      {!isEmpty(filter) && (
        <button
          type="button"
          className="button button-plain"
          onClick={() => {
            onFilter({});
          }}
        >
          {text.clearFilters}
        </button>
      )}
    </search>
  );
}

function Chip({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }): ReactElement {
  const { inspector: text } = useText();
  return (
    <button
      type="button"
      className="button filter-chip"
      aria-label={text.removeFilter(name)}
      onClick={onRemove}
    >
      {name} <X size={14} aria-hidden />
    </button>
  );
}
