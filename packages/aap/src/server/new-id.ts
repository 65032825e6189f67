/** An id that nobody guesses, of `[a-z0-9-]` only. */
export function newId(): string {
  return crypto.randomUUID();
}
