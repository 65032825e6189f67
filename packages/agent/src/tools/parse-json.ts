/** The value that a text holds as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whoever wanted a value says that there is none.
    return undefined;
  }
}
