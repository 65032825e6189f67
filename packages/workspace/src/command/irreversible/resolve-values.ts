import { isPreciousPath } from './precious-path.ts';

/**
 * Substitutes values that the line itself defines: variables, loops, function arguments, defaults, and the output of
 * `echo`. Good enough to find what must never run; never a reason to allow something.
 */
export function resolveValues(line: string): string {
  let text = resolveEchoes(line.replaceAll(/\$\{IFS[^{}$]*\}|\$IFS\b/gu, ' '));
  // A value may be made of another.
  for (let round = 0; round < mostRounds; round += 1) {
    const next = resolveEchoes(bind(text, bindingsIn(text)));
    if (next === text || next.length > mostCharacters) break;
    text = next;
  }
  return resolveDefaults(text);
}

/** `$(echo rm)` is `rm`, and `$(ls /)` is all in the root. */
export function resolveEchoes(line: string): string {
  return resolveListings(line).replaceAll(
    /\$\(\s*(?:echo|printf)\s([^()`$]*)\)|`\s*(?:echo|printf)\s([^()`$]*)`/gu,
    (_whole, inner: string | undefined, ticked: string | undefined) => (inner ?? ticked ?? '').trim(),
  );
}

/** What `ls` prints of the system or of a home directory; elsewhere it does not matter here. */
function resolveListings(line: string): string {
  return line.replaceAll(
    /\$\(\s*ls((?:\s+-\w+)*)\s+([^\s()|;&]+)\s*\)|\bls((?:[ \t]+-\w+)*)[ \t]+([^\s()|;&]+)[ \t]*(?=\|[ \t]*while\b)/gu,
    (whole: string, options?: string, place?: string, pipedOptions?: string, pipedPlace?: string) => {
      const listed = place ?? pipedPlace ?? '';
      if (!isPreciousPath(listed)) return whole;
      const names = (options ?? pipedOptions ?? '').includes('d') ? listed : '*';
      return place === undefined ? `echo ${names} ` : names;
    },
  );
}

/** Rounds of replacing variables by their values. */
const mostRounds = 3;
/** Characters of the resolved line. */
const mostCharacters = 128 * 1024;
/** Assignments of a line. */
const mostBindings = 200;
/** Characters of a variable's value. */
const mostValueCharacters = 1000;

/** A variable's name, and the words that it may expand to. */
interface Binding {
  readonly name: string;
  readonly words: readonly string[];
}

function bindingsIn(line: string): readonly Binding[] {
  // What is not closed is taken along to its end, so that no place is looked at twice.
  const piped = toWords(
    Array.from(line.matchAll(/\b(?:echo|printf)[ \t]([^;&|\n<>()]*)(\|(?!\|))?/gu), ([, text = '', pipe]) =>
      pipe === undefined ? '' : text,
    ).join(' '),
  );
  const calls = callsIn(line);
  const bindings = [
    ...find(
      line,
      /(?:^|[\s;&|(])([A-Za-z_]\w*)=(?!\()(?:["']([^"'\n]*)["']|([^\s;&|()"']*))/gu,
      ([, name, quoted, plain]) => ({
        name,
        words: [quoted ?? plain ?? ''],
      }),
    ),
    ...find(
      line,
      /\b(?:for|select)[ \t]+([A-Za-z_]\w*)[ \t\n]+in[ \t]([^;\n]*)([;\n])?/gu,
      ([, name, words, end]) => ({
        name,
        words: end === undefined ? [] : toWords(words),
      }),
    ),
    ...find(line, /\bread[ \t]+(?:-[A-Za-z]+[ \t]+)*([A-Za-z_]\w*)/gu, ([, name]) => ({
      name,
      words: piped,
    })),
    ...find(line, /(?:^|[\s;&|(])([A-Za-z_]\w*)=\(([^)]*)(\))?/gu, ([, name, words, end]) => ({
      name,
      words: end === undefined ? [] : toWords(words),
    })),
    ...find(line, /\bset[ \t]+--[ \t]+([^;&|\n]*)/gu, ([, words]) => ({ name: '@', words: toWords(words) })),
    ...find(line, /(?:^|[\s;&|])([A-Za-z_]\w*)[ \t]*\(\)[ \t\n]*\{/gu, ([, name = '']) => ({
      name: '@',
      words: calls.get(name) ?? [],
    })),
  ];
  return bindings.slice(0, mostBindings);
}

function find(
  line: string,
  expression: RegExp,
  toBinding: (match: readonly (string | undefined)[]) => {
    readonly name?: string | undefined;
    readonly words: readonly string[];
  },
): readonly Binding[] {
  return Array.from(line.matchAll(expression), (match) => {
    const { name = '', words } = toBinding(match);
    return { name, words };
  }).filter(({ name, words }) => name !== '' && words.length > 0);
}

/** The arguments of each name that appears in the position of a command. */
function callsIn(line: string): ReadonlyMap<string, readonly string[]> {
  const calls = new Map<string, string[]>();
  const call = /(?:^|[;&|}\n])[ \t]*([A-Za-z_]\w*)[ \t]+([^;&|()\n]+)/gu;
  for (const [, name = '', words] of line.matchAll(call)) {
    const before = calls.get(name) ?? [];
    if (before.length < mostValueCharacters) before.push(...toWords(words).slice(0, mostValueCharacters));
    calls.set(name, before);
  }
  return calls;
}

function toWords(text = ''): readonly string[] {
  return text
    .replaceAll(/["']|\\n/gu, '')
    .split(/\s+/u)
    .filter((word) => word !== '' && word !== '%s');
}

/** Puts the values of all names in their places, in one pass; of a name that is bound twice, the first. */
function bind(line: string, bindings: readonly Binding[]): string {
  const values = new Map<string, string>();
  for (const { name, words } of bindings) {
    if (!values.has(name)) values.set(name, toValue(words));
  }
  let left = mostCharacters;
  const use =
    /\$(?:\{([A-Za-z_]\w*)(?:\[[^\]{}]{0,100}\])?(?:[:?+-][^}]{0,100})?\}|([A-Za-z_]\w*)|[@*0-9]|\{[@*0-9]\})/gu;
  return line.replaceAll(use, (whole, braced?: string, plain?: string) => {
    const value = values.get(braced ?? plain ?? '@');
    if (value === undefined || value.length > left) return whole;
    left -= value.length;
    return value;
  });
}

function toValue(words: readonly string[]): string {
  const [only = ''] = words;
  // More than these do not fit.
  const value = words.length === 1 ? only : `{${words.slice(0, mostValueCharacters).join(',')}}`;
  return value.slice(0, mostValueCharacters);
}

/** `${x:-/}` is `/` where the line does not set `x`. */
function resolveDefaults(line: string): string {
  return line
    .replaceAll(/\$\{HOME[:?+=%#-][^}]{0,200}\}/gu, '$HOME')
    .replaceAll(/\$\{\w+:?[-=]([^{}]*)\}/gu, (_whole, value: string) => value.replaceAll(/["']/gu, ''));
}
