/**
 * Whether something in an input, at any depth, has a name under which programs are given what they run. An input with more in it than
 * is looked at counts as such a one.
 */
export function namesCode(input: unknown): boolean {
  const entries = entriesOf(input);
  return (
    entries.length > mostEntries ||
    entries.some(({ name, value }) => codeNames.has(name) && !isNothing(value))
  );
}

/** The addresses in an input that lead to another machine. */
export function addressesOf(input: unknown): readonly string[] {
  return entriesOf(input).flatMap(({ name, value }) =>
    addressNames.has(name) && typeof value === 'string' && /^(?:https?|wss?|ftp):\/\//iu.test(value)
      ? [value]
      : [],
  );
}

/**
 * What of an input may be the name of a file, under any field name: short texts, the names of fields where they look like
 * paths, and the files of a patch. Text that is searched for, written or said is none.
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

/** How much of an input is looked at. */
const mostEntries = 2000;
const longestPath = 4096;

/** All fields of an input, those of objects and lists in it too; one more than are looked at where there are more. */
function entriesOf(input: unknown): readonly Entry[] {
  const entries: Entry[] = [];
  const waiting: { readonly key: string; readonly value: unknown }[] = [{ key: '', value: input }];
  for (let next = waiting.pop(); next !== undefined && entries.length <= mostEntries; next = waiting.pop()) {
    const { key, value } = next;
    entries.push({ key, name: fold(key), value });
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) for (const item of value) waiting.push({ key, value: item });
    else for (const [inner, each] of Object.entries(value)) waiting.push({ key: inner, value: each });
  }
  return entries;
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
