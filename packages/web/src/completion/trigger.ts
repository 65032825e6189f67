/** The part of the text that can be completed, and how it starts. */
export interface Trigger {
  readonly kind: 'file' | 'command';
  /** The index of its `/` or `@`. */
  readonly from: number;
  readonly to: number;
  /** Without the sign. */
  readonly query: string;
}

/** How far before the caret an `@` is searched for: no path is longer. */
const farthest = 400;

/** The completable text at the caret: a command at the start of the text, or a file after an `@`. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const word = /\S*$/u.exec(text.slice(Math.max(0, caret - farthest), caret))?.[0] ?? '';
  if (caret - word.length === 0 && word.startsWith('/')) {
    return { kind: 'command', from: 0, to: wordEnd(text, caret), query: word.slice(1) };
  }
  const sign = word.lastIndexOf('@');
  // What stands before the sign in an address is no mention; Chinese has no spaces between words.
  if (sign === -1 || (sign > 0 && /[\w.+/-]/u.test(word.charAt(sign - 1)))) return undefined;
  return {
    kind: 'file',
    from: caret - word.length + sign,
    to: caret,
    query: word.slice(sign + 1),
  };
}

/** The command that the text starts with, if more text follows; used to show its hint. */
export function commandOf(text: string): { readonly name: string; readonly hasInput: boolean } | undefined {
  const found = /^\/(?<name>\S+)(?<rest>\s[\s\S]{0,400})?/u.exec(text.slice(0, 2 * farthest));
  const name = found?.groups?.['name'];
  return name === undefined ? undefined : { name, hasInput: (found?.groups?.['rest'] ?? '').trim() !== '' };
}

/** The known paths that the text mentions as `@path`, in order. */
export function mentionsIn(text: string, known: Iterable<string>): readonly string[] {
  return [...known]
    .map((path) => ({ path, at: placeOf(text, path) }))
    .filter(({ at }) => at !== -1)
    .toSorted((left, right) => left.at - right.at)
    .map(({ path }) => path);
}

function placeOf(text: string, path: string): number {
  const mention = `@${path}`;
  for (let at = text.indexOf(mention); at !== -1; at = text.indexOf(mention, at + 1)) {
    if (!/^(?:[\w/\\-]|\.\w)/u.test(text.slice(at + mention.length))) return at;
  }
  return -1;
}

function wordEnd(text: string, from: number): number {
  return from + (/^\S*/u.exec(text.slice(from, from + farthest))?.[0].length ?? 0);
}
