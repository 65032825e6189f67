/** A JSON object of which nothing else is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands under these keys, one inside the other; `undefined` where there is no such place. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let place = value;
  for (const key of keys) {
    if (!isObject(place)) return undefined;
    place = place[key];
  }
  return place;
}

/** The items of a list; none where there is no list. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const list = at(value, ...keys);
  return Array.isArray(list) ? list : [];
}

/** A value as a report shows it: as JSON, not too long. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

const shownCharacters = 200;
