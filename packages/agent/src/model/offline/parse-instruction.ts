/** One line of the offline model's language. */
export type Instruction =
  | SingleInstruction
  | { readonly kind: 'repeat'; readonly times: number; readonly instruction: SingleInstruction };

/** An instruction that is no `repeat`. */
export type SingleInstruction =
  /** An instruction with a tool of its own, such as `read PATH`. */
  | { readonly kind: 'use'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  /** `call TOOL {JSON}`: any tool by its name. */
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'think'; readonly text: string }
  | { readonly kind: 'plan'; readonly steps: readonly string[] }
  | { readonly kind: 'sleep'; readonly ms: number }
  /** An empty line. */
  | { readonly kind: 'blank' }
  /** A known word, used wrongly. */
  | { readonly kind: 'wrong'; readonly reason: string }
  | { readonly kind: 'unknown' };

/** The largest N of `repeat N: …`; nested ones are multiplied. */
const maxRepeats = 1_000_000;

/** The longest `sleep`: a day. */
const maxSleepSeconds = 86_400;

/** What the offline model understands, one form a line. */
export const instructionForms: readonly string[] = [
  'read PATH',
  'list PATH',
  'search PATTERN [in PATH]',
  'write PATH: TEXT',
  'replace OLD with NEW in PATH',
  'delete PATH',
  'move PATH to PATH',
  'run COMMAND',
  'fetch URL',
  'plan: STEP; STEP',
  'think: TEXT',
  'say: TEXT',
  'ask: QUESTION',
  'sleep SECONDS',
  'call TOOL {JSON}',
  'repeat N: INSTRUCTION',
];

/** Reads one line; what it cannot read is `unknown`, or `wrong` with a reason where the mistake is clear. */
export function parseInstruction(line: string): Instruction {
  const text = line.trimStart();
  if (text.trimEnd() === '' || isReference(text)) return { kind: 'blank' };
  const [, word = '', colon, rest = ''] = /^([a-z]+)(:?)(.*)$/isu.exec(text) ?? [];
  const parse = (colon === ':' ? colonForms : plainForms).get(word.toLowerCase());
  // A plain form needs a space between the word and what follows it.
  if (parse === undefined || (colon === '' && !/^\s/u.test(rest))) return { kind: 'unknown' };
  return parse(rest.replace(/^\s/u, '')) ?? { kind: 'unknown' };
}

/** A resource link of the prompt, as the session writes it: `[title](uri)`. */
function isReference(text: string): boolean {
  return /^\[[^\]]*\]\(\S+\)\s*$/u.test(text);
}

type ParseRest = (rest: string) => Instruction | undefined;

const colonForms: ReadonlyMap<string, ParseRest> = new Map<string, ParseRest>([
  ['say', (text) => ({ kind: 'say', text })],
  ['think', (text) => ({ kind: 'think', text })],
  ['plan', parsePlan],
  ['ask', (rest) => use('ask', { question: rest.trim() })],
]);

const plainForms: ReadonlyMap<string, ParseRest> = new Map<string, ParseRest>([
  ['read', (rest) => usePath('read', withoutMention(rest))],
  ['list', (rest) => usePath('list', withoutMention(rest))],
  ['delete', (rest) => usePath('delete', rest)],
  ['search', parseSearch],
  ['write', parseWrite],
  ['replace', parseReplace],
  ['move', parseMove],
  ['run', (rest) => (rest.trim() === '' ? undefined : use('run', { command: rest.trim() }))],
  ['fetch', (rest) => (rest.trim() === '' ? undefined : use('fetch', { url: rest.trim() }))],
  ['sleep', parseSleep],
  ['call', parseCall],
  ['repeat', parseRepeat],
]);

function use(tool: string, input: Readonly<Record<string, unknown>>): Instruction {
  return { kind: 'use', tool, input };
}

function usePath(tool: string, rest: string): Instruction | undefined {
  const path = rest.trim();
  return path === '' ? undefined : use(tool, { path });
}

/**
 * Removes the `@` of `@path`, because mentioned files are attached already. A file whose name starts with `@` is
 * written `./@name`.
 */
function withoutMention(rest: string): string {
  return rest.trim().replace(/^@"(.+)"$|^@(?=.)/u, '$1');
}

function parsePlan(rest: string): Instruction | undefined {
  const steps = rest
    .split(';')
    .map((step) => step.trim())
    .filter((step) => step !== '');
  return steps.length === 0 ? undefined : { kind: 'plan', steps };
}

function parseSearch(rest: string): Instruction | undefined {
  const all = rest.trim();
  if (all === '') return undefined;
  const [pattern = '', path = ''] = splitAtLast(all, ' in ') ?? [];
  return pattern.trim() === '' || path.trim() === ''
    ? use('search', { pattern: all })
    : use('search', { pattern: pattern.trim(), path: path.trim() });
}

function parseWrite(rest: string): Instruction | undefined {
  // The colon of `C:\notes.txt` is not the one that ends the path: one with a space after it goes first.
  const spaced = rest.search(/:(?=\s|$)/u);
  const colon = spaced === -1 ? rest.indexOf(':', 2) : spaced;
  const path = rest.slice(0, Math.max(colon, 0)).trim();
  return path === '' ? undefined : use('write', { path, text: rest.slice(colon + 1).replace(/^\s/u, '') });
}

function parseReplace(rest: string): Instruction | undefined {
  const [oldText = '', others = ''] = splitAtFirst(rest, ' with ') ?? [];
  const [newText, path = ''] = splitAtLast(others, ' in ') ?? [];
  return oldText === '' || newText === undefined || path.trim() === ''
    ? undefined
    : use('replace', { path: path.trim(), oldText, newText });
}

function parseMove(rest: string): Instruction | undefined {
  const [from = '', to = ''] = splitAtFirst(rest, ' to ') ?? [];
  return from.trim() === '' || to.trim() === ''
    ? undefined
    : use('move', { from: from.trim(), to: to.trim() });
}

type Halves = readonly [before: string, after: string];

function splitAtFirst(text: string, word: string): Halves | undefined {
  const index = text.search(new RegExp(word, 'iu'));
  return index === -1 ? undefined : [text.slice(0, index), text.slice(index + word.length)];
}

function splitAtLast(text: string, word: string): Halves | undefined {
  const index = [...text.matchAll(new RegExp(word, 'giu'))].at(-1)?.index;
  return index === undefined ? undefined : [text.slice(0, index), text.slice(index + word.length)];
}

function parseSleep(rest: string): Instruction | undefined {
  if (!/^\s*\d+(?:\.\d+)?\s*$/u.test(rest)) return undefined;
  const seconds = Number(rest);
  return seconds > maxSleepSeconds
    ? { kind: 'wrong', reason: `it sleeps at most ${String(maxSleepSeconds)} seconds` }
    : { kind: 'sleep', ms: seconds * 1000 };
}

function parseCall(rest: string): Instruction | undefined {
  const [, tool, json = ''] = /^\s*([^\s{]+)\s*(.*)$/su.exec(rest) ?? [];
  if (tool === undefined) return undefined;
  const input = json.trim() === '' ? {} : parseObject(json);
  return input === undefined
    ? { kind: 'wrong', reason: `the arguments of ${tool} are not a JSON object` }
    : { kind: 'call', tool, input };
}

function parseObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    // Not JSON: the caller says so.
    return undefined;
  }
}

function parseRepeat(rest: string): Instruction | undefined {
  const [, digits, inner] = /^\s*(\d+)\s*:(.*)$/su.exec(rest) ?? [];
  if (digits === undefined || inner === undefined) return undefined;
  const instruction = parseInstruction(inner);
  if (instruction.kind === 'unknown' || instruction.kind === 'blank') return undefined;
  if (instruction.kind === 'wrong') return instruction;
  const inside = instruction.kind === 'repeat' ? instruction : { times: 1, instruction };
  const times = Number(digits) * inside.times;
  return times < 1 || times > maxRepeats
    ? { kind: 'wrong', reason: `it repeats from 1 to ${String(maxRepeats)} times` }
    : { kind: 'repeat', times, instruction: inside.instruction };
}
