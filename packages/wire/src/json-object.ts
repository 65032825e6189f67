/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Checks that a value is a JSON object, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at a path of keys; `undefined` if a key is missing. Inherited members are ignored. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let place = value;
  for (const key of keys) {
    if (!isJsonObject(place) || !Object.hasOwn(place, key)) return undefined;
    place = place[key];
  }
  return place;
}
