import { leftOut } from '../../agent/shallow-transport.ts';

/**
 * Whether an input has, at any depth, a field whose name usually contains code to run. Inputs that are too large or too
 * deep to search count as such.
 */
export function namesCode(input: unknown): boolean {
  if (!hasFields(input)) return input === leftOut;
  const entries = entriesOf(input);
  return (
    entries.length > mostEntries ||
    entries.some(({ name, value }) => codeNames.has(name) && !isNothing(value))
  );
}

/** The addresses in an input that lead to another machine. */
export function addressesOf(input: unknown): readonly string[] {
  if (!hasFields(input)) return [];
  return entriesOf(input).flatMap(({ name, value }) =>
    addressNames.has(name) && typeof value === 'string' && /^(?:https?|wss?|ftp):\/\//iu.test(value)
      ? [value]
      : [],
  );
}

/**
 * Texts in an input that may be file names, under any field name: short texts, field names that look like paths, and
 * the files of a patch. Search terms, contents and messages are excluded.
 */
export function possiblePaths(input: unknown): readonly string[] {
  const found = new Set<string>();
  for (const { name, key, value } of entriesOf(input)) {
    if (key.includes('/') && key.length <= longestPath) found.add(key);
    if (typeof value !== 'string' || value === '') continue;
    if (patchNames.has(name)) for (const path of pathsOfPatch(value)) found.add(path);
    if (
      !textNames.has(name) &&
      value.length <= longestPath &&
      !/[\n\r]|^[a-z][\w+.-]+:\/\/(?<!file:\/\/)/iu.test(value)
    ) {
      found.add(value);
    }
  }
  return [...found];
}

interface Entry {
  /** The field as it is called, and without differences of spelling; that of a list for each of its items. */
  readonly key: string;
  readonly name: string;
  readonly value: unknown;
}

/** Entries of an input that are checked. */
const mostEntries = 2000;
/** Characters of a path in an input. */
const longestPath = 4096;

/** All fields of an input at any depth, up to one more than the search limit. */
function entriesOf(input: unknown): readonly Entry[] {
  const entries: Entry[] = [];
  const waiting: { readonly key: string; readonly value: unknown }[] = [{ key: '', value: input }];
  for (let next = waiting.pop(); next !== undefined && entries.length <= mostEntries; next = waiting.pop()) {
    const { key, value } = next;
    entries.push({ key, name: fold(key), value });
    if (!hasFields(value)) continue;
    if (Array.isArray(value)) for (const item of value) waiting.push({ key, value: item });
    else for (const [inner, each] of Object.entries(value)) waiting.push({ key: inner, value: each });
  }
  return entries;
}

function hasFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/gu, '');
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function* pathsOfPatch(patch: string): Generator<string> {
  const lines = patch.matchAll(
    /^(?:\*\*\* (?:Add|Update|Delete) File:|\*\*\* Move to:|(?:---|\+\+\+)|rename (?:from|to)|copy (?:from|to)) (.+)$/gmu,
  );
  for (const [, named = ''] of lines) {
    const path = named.replace(/\t.*$/u, '').trim();
    if (path === '/dev/null') continue;
    yield path;
    if (/^[ab]\//u.test(path)) yield path.slice(2);
  }
}

function names(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

const codeNames = names(
  'command commands cmd cmds cmdline commandline commandlist shellcommand bashcommand script shell bash powershell argv exec code',
);

const addressNames = names('url urls uri uris href address endpoint');

const patchNames = names('patch diff input unifieddiff changes');

/** Text, patterns and words for a reader. */
const textNames = names(
  'content contents text newtext oldtext newstring oldstring newstr oldstr newcontent oldcontent patch diff unifieddiff pattern query ' +
    'queries regex regexp glob include exclude description explanation reason reasoning thought title message prompt instruction ' +
    'instructions summary search replace replacement todo note body markdown codeedit edits newsource',
);
