/**
 * A list that is never changed: adding to it and replacing in it give another one, which shares all but a few small
 * pieces with the first.
 */
export interface List<T> {
  readonly length: number;
  /** How many levels of branches are above the leaves. */
  readonly depth: number;
  readonly root: ListNode<T>;
}

/** A piece of a {@link List}. */
export type ListNode<T> =
  | { readonly kind: 'leaf'; readonly values: readonly T[] }
  | { readonly kind: 'branch'; readonly nodes: readonly ListNode<T>[] };

/** The empty list. */
export const emptyList: List<never> = { length: 0, depth: 0, root: { kind: 'leaf', values: [] } };

/** The value at an index, from 0. */
export function at<T>(list: List<T>, index: number): T | undefined {
  if (index < 0 || index >= list.length) return undefined;
  let node = list.root;
  for (let level = list.depth; node.kind === 'branch'; level -= 1) {
    const next = node.nodes[slotOf(index, level)];
    if (next === undefined) return undefined;
    node = next;
  }
  return node.values[index & mask];
}

/** The list with one more value at its end. */
export function push<T>(list: List<T>, value: T): List<T> {
  const { length } = list;
  const isFull = length === width ** (list.depth + 1);
  const depth = isFull ? list.depth + 1 : list.depth;
  const root: ListNode<T> = isFull ? { kind: 'branch', nodes: [list.root] } : list.root;
  return { length: length + 1, depth, root: put(root, depth, length, value) };
}

/** The list with another value at an index that it has. */
export function replace<T>(list: List<T>, index: number, value: T): List<T> {
  const { length, depth } = list;
  if (index < 0 || index >= length) return list;
  return { length, depth, root: put(list.root, depth, index, value) };
}

/** The values from one index to before another. */
export function* values<T>(list: List<T>, from = 0, to: number = list.length): Generator<T, void, undefined> {
  for (let index = Math.max(0, from); index < Math.min(to, list.length); index += 1) {
    const value = at(list, index);
    if (value !== undefined) yield value;
  }
}

// Each change copies a piece on each level: small pieces leave the least behind for the collector of garbage.
const bits = 4;
const width = 2 ** bits;
const mask = width - 1;

function slotOf(index: number, level: number): number {
  return (index >>> (bits * level)) & mask;
}

function put<T>(node: ListNode<T> | undefined, level: number, index: number, value: T): ListNode<T> {
  const slot = slotOf(index, level);
  if (level === 0) {
    const leaf = node?.kind === 'leaf' ? node.values : [];
    return { kind: 'leaf', values: placed(leaf, slot, value) };
  }
  const nodes = node?.kind === 'branch' ? node.nodes : [];
  return { kind: 'branch', nodes: placed(nodes, slot, put(nodes[slot], level - 1, index, value)) };
}

/** The pieces with another one at an index they have, or one more. */
function placed<P>(pieces: readonly P[], index: number, piece: P): readonly P[] {
  return index === pieces.length ? [...pieces, piece] : pieces.with(index, piece);
}
