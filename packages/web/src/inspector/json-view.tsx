import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import { shownFoundParts, shownParts } from '../limits.ts';
import { useText } from '../text/language.tsx';
import { JsonLine } from './json-line.tsx';
import { branchesOf, findInJson, toJsonRows } from './json-rows.ts';
import './json-view.css';

/** Initially expanded levels of a value. */
const depthAtOnce = 4;

/** A JSON value as a tree that can be folded and searched. */
export function JsonView({
  value,
  label,
}: {
  readonly value: unknown;
  readonly label: string;
}): ReactElement {
  const { inspector: text } = useText();
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [depth, setDepth] = useState(depthAtOnce);
  const [limits, setLimits] = useState<ReadonlyMap<string, number>>(new Map());
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const found = useMemo(() => findInJson(value, search), [value, search]);
  const current = found[at];
  const shownFor = useMemo(() => new Set(current === undefined ? [] : branchesOf(current)), [current]);
  const rows = useMemo(
    () =>
      toJsonRows(value, {
        isOpen: (path, level) => shownFor.has(path) || (folded.get(path) ?? level < depth),
        // What is looked for is shown, however long the list is that it is in.
        limit: (path) =>
          (limits.get(path) ?? shownParts) + (shownFor.has(path) && search !== '' ? shownFoundParts : 0),
      }),
    [value, folded, depth, limits, shownFor, search],
  );
  const matches = useMemo(() => new Set(found), [found]);
  useEffect(() => {
    if (current === undefined) return;
    list.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const go = (by: 1 | -1): void => {
    if (found.length > 0) setAt((at + by + found.length) % found.length);
  };
  const foldAll = (isOpen: boolean): void => {
    setFolded(new Map());
    setDepth(isOpen ? Infinity : 1);
  };
  return (
    <section className="json" aria-label={label}>
      <div className="json-tools">
        <input
          type="search"
          className="field"
          aria-label={text.jsonSearch}
          placeholder={text.jsonSearch}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
          }}
        />
        {search !== '' && (
          <>
            <output className="small soft">{text.jsonFound(at + 1, found.length)}</output>
            <button
              type="button"
              className="button button-plain"
              title={text.previous}
              onClick={() => {
                go(-1);
              }}
            >
              <ChevronUp size={16} aria-hidden />
              <span className="visually-hidden">{text.previous}</span>
            </button>
            <button
              type="button"
              className="button button-plain"
              title={text.next}
              onClick={() => {
                go(1);
              }}
            >
              <ChevronDown size={16} aria-hidden />
              <span className="visually-hidden">{text.next}</span>
            </button>
          </>
        )}
        <button
          type="button"
          className="button button-plain small"
          onClick={() => {
            foldAll(true);
          }}
        >
          {text.unfoldAll}
        </button>
        <button
          type="button"
          className="button button-plain small"
          onClick={() => {
            foldAll(false);
          }}
        >
          {text.foldAll}
        </button>
      </div>
      <ul className="json-rows" ref={list}>
        {rows.map((row) => (
          <li
            key={row.kind === 'rest' ? `${row.path} rest` : row.path}
            className={matches.has(row.path) && row.kind !== 'rest' ? 'json-row json-found' : 'json-row'}
            style={{ paddingInlineStart: `${Math.min(row.depth, 40) * 1.125}rem` }}
            {...(row.path === current && row.kind !== 'rest' && { 'data-current': true })}
          >
            <JsonLine
              row={row}
              search={search}
              onFold={(path, isOpen) => {
                setFolded(new Map(folded).set(path, isOpen));
              }}
              onMore={(path) => {
                setLimits(new Map(limits).set(path, (limits.get(path) ?? shownParts) + 10 * shownParts));
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
