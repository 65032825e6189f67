import { isDeeper } from '../is-deeper.ts';
import type { NotificationMessage } from '../message.ts';
import { VariedText, withField } from './varied-text.ts';

/** The exact text of params, where it is known. */
export interface ParamTexts {
  /** The JSON of a param exactly as received; undefined if it is not known. Contains no newline. */
  textOf(param: string): string | undefined;
  /** The same object for messages that differ in one text alone; undefined if that is not known. */
  readonly pattern: object | undefined;
}

/** A notification that equals the previous one except for its last param, whose text is known. */
export class RepeatedNotification implements NotificationMessage, ParamTexts {
  readonly jsonrpc = '2.0';
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly #pattern: object | undefined;
  readonly #last: string;
  readonly #text: string;

  constructor({ method, params, objects, last }: Repeated, value: unknown, text: string, pattern?: object) {
    this.method = method;
    this.params = withField(params, last, value);
    for (const name of objects) this.params = withField(this.params, name, copyOf(params[name]));
    this.#pattern = pattern;
    this.#last = last;
    this.#text = text;
  }

  get pattern(): object | undefined {
    return this.#pattern;
  }

  textOf(param: string): string | undefined {
    return param === this.#last ? this.#text : undefined;
  }
}

/** What a reader of lines knows of the params of a value besides. */
export function textsOf(value: unknown): ParamTexts | undefined {
  return value instanceof RepeatedNotification ? value : undefined;
}

/**
 * Reads the lines of a stream, which differ in one param, and often only in one text in that: what stands before and behind it
 * is compared and not parsed, and that what is left is one JSON value shows that the line is what it seems.
 */
export class RepetitionReader {
  #repeated: Repeated | undefined;
  #varied: VariedParam | undefined;
  /** Whether a line, and two params, may still be learned from: once a read, or streams that are mixed would take turns. */
  #learnsLine = false;
  #learnsParam = false;
  /** The last param of this read that was parsed. */
  #param: { readonly value: unknown } | undefined;

  /** The lines of one read come next. */
  begin(): void {
    this.#learnsLine = true;
    this.#learnsParam = true;
    this.#param = undefined;
  }

  /** The notification between two places of a text, if it is such a one. */
  read(text: string, start: number, end: number): RepeatedNotification | undefined {
    return this.#readVaried(text, start, end) ?? this.#readRepeated(text, start, end);
  }

  /** Expects more lines like this one, if it is of that kind. */
  learn(line: string, message: unknown): void {
    if (!this.#learnsLine) return;
    const repeated = toRepeated(message);
    if (repeated === undefined || !line.startsWith(repeated.head)) return;
    this.#repeated = repeated;
    this.#varied = undefined;
    this.#learnsLine = false;
  }

  #readVaried(text: string, start: number, end: number): RepeatedNotification | undefined {
    const known = this.#varied;
    if (known === undefined || !standsAt(text, known.head, start)) return undefined;
    const textStart = start + known.head.length;
    const textEnd = end - known.tail.length;
    if (textEnd < textStart || !standsAt(text, known.tail, textEnd)) return undefined;
    const { repeated, varied } = known;
    try {
      // With its quotes: JSON that begins with one is a string and nothing else.
      const found = String(JSON.parse(text.slice(textStart - 1, textEnd + 1)));
      const param = text.slice(start + repeated.head.length, end - lineEnd.length);
      return new RepeatedNotification(repeated, varied.with(found), param, known);
    } catch {
      // The text ends before: more of the param follows.
      this.#varied = undefined;
      return undefined;
    }
  }

  #readRepeated(text: string, start: number, end: number): RepeatedNotification | undefined {
    const repeated = this.#repeated;
    if (repeated === undefined || !standsAt(text, repeated.head, start)) return undefined;
    const paramEnd = end - lineEnd.length;
    if (!standsAt(text, lineEnd, paramEnd)) return undefined;
    const param = text.slice(start + repeated.head.length, paramEnd);
    try {
      const value: unknown = JSON.parse(param);
      if (this.#learnsParam) this.#learnVaried(repeated, value, param);
      return new RepeatedNotification(repeated, value, param);
    } catch {
      // More params follow, or it is no JSON: it is read as any other line, and so are those like it.
      this.#repeated = undefined;
      return undefined;
    }
  }

  /** Expects more params like the last two, if they differ in one text. */
  #learnVaried(repeated: Repeated, value: unknown, param: string): void {
    const before = this.#param;
    this.#param = { value };
    if (before === undefined) return;
    this.#learnsParam = false;
    const varied = VariedText.between(before.value, value, param);
    if (varied === undefined) return;
    const { head, tail } = varied;
    this.#varied = { repeated, varied, head: `${repeated.head}${head}`, tail: `${tail}${lineEnd}` };
  }
}

/** Lines that differ in one text of their last param. */
interface VariedParam {
  readonly repeated: Repeated;
  readonly varied: VariedText;
  /** What each line begins with, up to the text. */
  readonly head: string;
  /** What each line ends with. */
  readonly tail: string;
}

/** What the lines of a stream have in common. */
interface Repeated {
  /** What each line begins with, up to the value of its last param. */
  readonly head: string;
  readonly method: string;
  /** Those of the first such line. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Which of those before the last are objects or arrays, such as `_meta`: each message has its own. */
  readonly objects: readonly string[];
  readonly last: string;
}

/** Nesting depth of the params before the last: they are written and copied recursively. */
const maxLevels = 100;

/** What a line ends with, behind its last param: the ends of the params and of the message. */
const lineEnd = '}}';

/** `startsWith` in a tenth of the time: V8 compares what is cut out as memory, and `startsWith` one character after the other. */
function standsAt(text: string, part: string, start: number): boolean {
  return text.slice(start, start + part.length) === part;
}

/** Only what is written in the usual order, without spaces, is known again. */
function toRepeated(message: unknown): Repeated | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (!('method' in message && 'params' in message) || 'id' in message) return undefined;
  const { method, params } = message;
  if (typeof method !== 'string' || typeof params !== 'object' || params === null) return undefined;
  const named: Readonly<Record<string, unknown>> = { ...params };
  const entries = Object.entries(named);
  const [last] = entries.pop() ?? [];
  if (last === undefined || last === '__proto__' || Array.isArray(params)) return undefined;
  let head = `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":{`;
  const objects: string[] = [];
  for (const [name, value] of entries) {
    if (name === '__proto__' || isDeeper(value, maxLevels)) return undefined;
    if (typeof value === 'object' && value !== null) objects.push(name);
    head += `${JSON.stringify(name)}:${JSON.stringify(value)},`;
  }
  return { head: `${head}${JSON.stringify(last)}:`, method, params: named, objects, last };
}

function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]));
}
