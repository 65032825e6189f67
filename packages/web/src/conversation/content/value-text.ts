/** A value as JSON that people can read. */
export function toJson(value: unknown): string {
  if (value === undefined) return 'undefined';
  try {
    return JSON.stringify(value, undefined, 2);
  } catch {
    // A value that was made here, with a circle in it.
    return '…';
  }
}

/** Displayed fields of a value. */
const mostFields = 12;

/** The fields of an object with only simple values; undefined for any other value. */
export function flatFields(value: unknown): readonly (readonly [name: string, text: string])[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.length === 0 || entries.length > mostFields) return undefined;
  const texts = entries.map(([name, field]) => [name, simpleText(field)] as const);
  return texts.every((entry): entry is readonly [string, string] => entry[1] !== undefined)
    ? texts
    : undefined;
}

function simpleText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return Array.isArray(value) && value.length <= 20 && value.every((each) => typeof each === 'string')
    ? value.join('\n')
    : undefined;
}
