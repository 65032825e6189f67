/** Values by name, never changed: setting one gives another table, which shares all but a few small pieces. */
export interface Table<T> {
  readonly size: number;
  readonly root: TableNode<T>;
}

/** A piece of a {@link Table}. */
export type TableNode<T> =
  | { readonly kind: 'leaf'; readonly entries: readonly TableEntry<T>[] }
  | { readonly kind: 'branch'; readonly nodes: readonly (TableNode<T> | undefined)[] };

/** A name and its value. */
export interface TableEntry<T> {
  readonly name: string;
  readonly value: T;
}

/** The value of a name. */
export function get<T>(table: Table<T>, name: string): T | undefined {
  let node: TableNode<T> | undefined = table.root;
  const hash = hashOf(name);
  for (let level = 0; node?.kind === 'branch'; level += 1) node = node.nodes[slotOf(hash, level)];
  return node?.entries.find((entry) => entry.name === name)?.value;
}

/** The table with another value for a name. */
export function set<T>(table: Table<T>, name: string, value: T): Table<T> {
  const isNew = get(table, name) === undefined;
  const root = put(table.root, { name, value }, 0);
  return { size: isNew ? table.size + 1 : table.size, root };
}

/** All names with their values, in no particular order. */
export function* entries<T>({ root }: Table<T>): Generator<TableEntry<T>, void, undefined> {
  const rest: (TableNode<T> | undefined)[] = [root];
  for (let node = rest.pop(); node !== undefined || rest.length > 0; node = rest.pop()) {
    if (node === undefined) continue;
    if (node.kind === 'leaf') yield* node.entries;
    else rest.push(...node.nodes);
  }
}

const bits = 5;
const leafSize = 8;
const lastLevel = 6;

function slotOf(hash: number, level: number): number {
  return (hash >>> (bits * level)) & (2 ** bits - 1);
}

function put<T>(node: TableNode<T> | undefined, entry: TableEntry<T>, level: number): TableNode<T> {
  if (node === undefined) return { kind: 'leaf', entries: [entry] };
  if (node.kind === 'branch') {
    const slot = slotOf(hashOf(entry.name), level);
    const nodes = [...node.nodes];
    nodes[slot] = put(nodes[slot], entry, level + 1);
    return { kind: 'branch', nodes };
  }
  const others = node.entries.filter(({ name }) => name !== entry.name);
  if (others.length < leafSize || level > lastLevel) return { kind: 'leaf', entries: [...others, entry] };
  const empty: TableNode<T> = {
    kind: 'branch',
    nodes: Array.from<TableNode<T> | undefined>({ length: 2 ** bits }),
  };
  return [...others, entry].reduce<TableNode<T>>((branch, each) => put(branch, each, level), empty);
}

/** FNV-1a, over the words of UTF-16. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
