// The answer to session/load comes on the connection's stream, what it replays on the session's: two streams, of which
// either may be ahead. Our server says in the session's stream where the answer belongs: an id without data, which is
// no event to other clients. The answer carries the same id. See docs/decisions/0012-remote-acp.md.

const prefix = 'parley-';

/** The id under which an answer is put in order with another stream. */
export function toMark(number: number): string {
  return `${prefix}${number}`;
}

/** The place in a session's stream. */
export function formatMark(mark: string): string {
  return `id: ${mark}\n\n`;
}

/** The number of a mark; nothing for any other id. */
export function markNumberOf(id: string | undefined): number | undefined {
  if (id?.startsWith(prefix) !== true) return undefined;
  const number = Number(id.slice(prefix.length));
  return Number.isSafeInteger(number) ? number : undefined;
}
