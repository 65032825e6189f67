import { foundParts } from '../limits.ts';

/** A line of a JSON value that is shown as a tree. */
export type JsonRow = JsonLeaf | JsonBranch | JsonRest;

interface JsonRowBase {
  /** Where it is, as a JSON pointer (RFC 6901). */
  readonly path: string;
  readonly depth: number;
}

/** A value without parts. */
export interface JsonLeaf extends JsonRowBase {
  readonly kind: 'string' | 'number' | 'boolean' | 'null';
  readonly name?: string;
  /** The text of a string, or JSON of any other value. */
  readonly text: string;
}

/** An object or a list. */
export interface JsonBranch extends JsonRowBase {
  readonly kind: 'object' | 'list';
  readonly name?: string;
  readonly size: number;
  readonly isOpen: boolean;
}

/** Parts of a branch that are not shown: there are too many. */
export interface JsonRest extends JsonRowBase {
  readonly kind: 'rest';
  readonly count: number;
}

/** What of a tree is shown. */
export interface JsonFolding {
  /** Whether the parts of a branch are shown. */
  readonly isOpen: (path: string, depth: number) => boolean;
  /** Maximum number of entries to show. */
  readonly limit: (path: string) => number;
}

/** The lines of a value. Collapsed parts are not processed. */
export function toJsonRows(value: unknown, folding: JsonFolding): JsonRow[] {
  const rows: JsonRow[] = [];
  // A list of what is still to be shown, the next last: a value may be deeper than the stack.
  const todo: (Part | JsonRest)[] = [{ path: '', depth: 0, value }];
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    if ('kind' in part) {
      rows.push(part);
      continue;
    }
    const row = toRow(part, folding);
    rows.push(row);
    if (!('isOpen' in row) || !row.isOpen) continue;
    const limit = folding.limit(row.path);
    const rest: JsonRest = { kind: 'rest', path: row.path, depth: row.depth + 1, count: row.size - limit };
    if (rest.count > 0) todo.push(rest);
    todo.push(...partsOf(part, limit).toReversed());
  }
  return rows;
}

interface Part {
  readonly path: string;
  readonly depth: number;
  readonly name?: string;
  readonly value: unknown;
}

function toRow({ value, ...place }: Part, { isOpen }: JsonFolding): JsonLeaf | JsonBranch {
  if (typeof value === 'string') return { ...place, kind: 'string', text: value };
  if (typeof value === 'number' || typeof value === 'boolean') {
    return { ...place, kind: typeof value === 'number' ? 'number' : 'boolean', text: String(value) };
  }
  if (typeof value !== 'object' || value === null) return { ...place, kind: 'null', text: 'null' };
  const kind = Array.isArray(value) ? 'list' : 'object';
  const size = Object.keys(value).length;
  return { ...place, kind, size, isOpen: size > 0 && isOpen(place.path, place.depth) };
}

function partsOf({ value, path, depth }: Part, limit: number = Infinity): Part[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .slice(0, limit)
    .map(([name, part]: [string, unknown]) => ({
      path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      depth: depth + 1,
      name,
      value: part,
    }));
}

/** Where a text is found in a value, in any case, in names and in values; in order, and so many at most. */
export function findInJson(value: unknown, text: string, most = foundParts): string[] {
  if (text === '') return [];
  const wanted = text.toLowerCase();
  const found: string[] = [];
  const todo: Part[] = [{ path: '', depth: 0, value }];
  for (let part = todo.pop(); part !== undefined && found.length < most; part = todo.pop()) {
    const { name = '', value: inner, path } = part;
    const said = typeof inner === 'object' && inner !== null ? '' : String(inner);
    if (name.toLowerCase().includes(wanted) || said.toLowerCase().includes(wanted)) found.push(path);
    todo.push(...partsOf(part).toReversed());
  }
  return found;
}

/** The branches that a place is in, the outermost first. */
export function branchesOf(path: string): string[] {
  const steps = path.split('/').slice(1);
  return steps.map((_step, index) =>
    steps
      .slice(0, index)
      .map((step) => `/${step}`)
      .join(''),
  );
}
