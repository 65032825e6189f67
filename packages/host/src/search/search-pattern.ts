/** What is looked for. */
export interface SearchPattern {
  readonly regex: RegExp;
  /** The text that is looked for; absent for a regular expression. */
  readonly literal?: string;
}

/**
 * What a user typed to search for: text, or a regular expression. Without a capital letter in it, capitals do not count.
 *
 * @throws {SyntaxError} It is no regular expression.
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

/** A regular expression that matches a text and nothing else. */
function toSource(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`);
}
