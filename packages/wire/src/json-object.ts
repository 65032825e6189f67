/** A JSON object about which nothing else is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, and not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value under these keys, each inside the one before; `undefined` where a key is missing. Inherited members are not values. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let place = value;
  for (const key of keys) {
    if (!isJsonObject(place) || !Object.hasOwn(place, key)) return undefined;
    place = place[key];
  }
  return place;
}
