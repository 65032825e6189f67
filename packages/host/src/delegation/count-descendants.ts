import type { SessionStore } from '../store/session-store.ts';

/** Counts the stored sessions below a session: its delegates, and theirs. */
export async function countDescendants(store: Pick<SessionStore, 'list'>, key: string): Promise<number> {
  const children = new Map<string, string[]>();
  for (const head of await store.list()) {
    const { parent } = head.start;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), head.key]);
  }
  const found = new Set<string>();
  const waiting = [key];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const child of children.get(next) ?? []) {
      if (child === key || found.has(child)) continue;
      found.add(child);
      waiting.push(child);
    }
  }
  return found.size;
}
