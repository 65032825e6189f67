/** Where the user was reading: an item, and how far its top is above that of the window. */
export interface ReadingPlace {
  readonly seq: number;
  readonly offset: number;
}

/** Where this tab was reading a session; undefined at its end. */
export function readPlace(sessionKey: string): ReadingPlace | undefined {
  const [seq, offset] = (sessionStorage.getItem(nameOf(sessionKey)) ?? '').split(' ').map(Number);
  if (seq === undefined || offset === undefined || !Number.isFinite(seq + offset)) return undefined;
  return { seq, offset };
}

/** Keeps where this tab is reading a session, as long as the tab is there. */
export function keepPlace(sessionKey: string, place: ReadingPlace | undefined): void {
  if (place === undefined) sessionStorage.removeItem(nameOf(sessionKey));
  else sessionStorage.setItem(nameOf(sessionKey), `${place.seq} ${Math.round(place.offset)}`);
}

function nameOf(sessionKey: string): string {
  return `parley-place ${sessionKey}`;
}
