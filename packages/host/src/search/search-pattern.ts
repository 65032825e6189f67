/** A search pattern. */
export interface SearchPattern {
  readonly regex: RegExp;
  /** The text that is looked for; absent for a regular expression. */
  readonly literal?: string;
}

/**
 * Creates a pattern from a search text or regular expression. It is case-sensitive only if it contains an uppercase
 * letter.
 *
 * @throws {SyntaxError} The regular expression is invalid.
 */
export function createSearchPattern(
  typed: string,
  { isRegex = false }: { readonly isRegex?: boolean } = {},
): SearchPattern {
  const flags = /\p{Lu}/u.test(isRegex ? typed.replaceAll(/\\./gu, '') : typed) ? 'u' : 'iu';
  if (isRegex) return { regex: new RegExp(typed, `${flags}m`) };
  return { regex: new RegExp(toSource(typed), flags), literal: typed };
}

/** The same for text that stands in JSON. */
export function inJson({ regex }: SearchPattern, literal: string): RegExp {
  return new RegExp(toSource(JSON.stringify(literal).slice(1, -1)), regex.flags);
}

/** A regular expression that matches exactly the text. */
function toSource(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`);
}
