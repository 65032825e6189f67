import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { shownPartText } from '../limits.ts';
import { useText } from '../text/language.tsx';
import type { JsonBranch, JsonLeaf, JsonRow } from './json-rows.ts';

/** A row of the tree, and what can be done in it. */
export interface JsonLineProps {
  readonly row: JsonRow;
  readonly search: string;
  readonly onFold: (path: string, isOpen: boolean) => void;
  readonly onMore: (path: string) => void;
}

/** One row of a JSON value that is shown as a tree. */
export function JsonLine({ row, search, onFold, onMore }: JsonLineProps): ReactElement {
  const { inspector: text } = useText();
  switch (row.kind) {
    case 'rest':
      return (
        <button
          type="button"
          className="button button-plain small"
          onClick={() => {
            onMore(row.path);
          }}
        >
          {text.showMore(row.count)}
        </button>
      );
    case 'object':
    case 'list':
      return <Branch row={row} search={search} onFold={onFold} />;
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return (
        <>
          <span className="json-gap" />
          <Name name={row.name} search={search} />
          <Leaf row={row} search={search} />
        </>
      );
  }
}

function Branch({
  row,
  search,
  onFold,
}: {
  readonly row: JsonBranch;
  readonly search: string;
  readonly onFold: JsonLineProps['onFold'];
}): ReactElement {
  const { inspector: text } = useText();
  const { path, kind, size, isOpen } = row;
  const brackets = kind === 'list' ? '[]' : '{}';
  if (size === 0) {
    return (
      <>
        <span className="json-gap" />
        <Name name={row.name} search={search} />
        <span>{brackets}</span>
      </>
    );
  }
  return (
    <button
      type="button"
      className="json-fold"
      aria-expanded={isOpen}
      onClick={() => {
        onFold(path, !isOpen);
      }}
    >
      {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
      <Name name={row.name} search={search} />
      <span className="soft">
        {brackets[0]}
        {!isOpen && '…'}
        {!isOpen && brackets[1]} {text.parts(size)}
      </span>
    </button>
  );
}

function Name({
  name,
  search,
}: {
  readonly name: string | undefined;
  readonly search: string;
}): ReactElement | null {
  if (name === undefined) return null;
  return (
    <span className="json-name">
      <Marked text={name} search={search} />:{' '}
    </span>
  );
}

function Leaf({ row, search }: { readonly row: JsonLeaf; readonly search: string }): ReactElement {
  const { inspector: text } = useText();
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? row.text : row.text.slice(0, shownPartText);
  const marked = <Marked text={shown} search={search} />;
  return (
    <span className={`json-${row.kind}`}>
      {row.kind === 'string' ? <>&quot;{marked}&quot;</> : marked}
      {shown.length < row.text.length && (
        <button
          type="button"
          className="button button-plain small"
          onClick={() => {
            setIsWhole(true);
          }}
        >
          {text.showAllText(row.text.length.toLocaleString())}
        </button>
      )}
    </span>
  );
}

/** A text in which the first match of the search is highlighted. */
function Marked({ text, search }: { readonly text: string; readonly search: string }): ReactElement {
  const start = search === '' ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (start === -1) return <>{text}</>;
  const end = start + search.length;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}
