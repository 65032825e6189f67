import type { NotificationMessage } from '../message.ts';

/** Params as text, as far as a reader of them happens to know it. */
export interface ParamTexts {
  /** The JSON of a param exactly as it came; undefined when it is not known. It has no newline. */
  textOf(param: string): string | undefined;
}

/** A notification that says the same as the one before, save for its last param, whose text is known. */
export class RepeatedNotification implements NotificationMessage, ParamTexts {
  readonly jsonrpc = '2.0';
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly #last: string;
  readonly #text: string;

  constructor({ method, params, last }: Repeated, value: unknown, text: string) {
    this.method = method;
    // All that is copied has the shape that parsed params have: readers of them are quicker with few shapes.
    const copy = { ...params };
    copy[last] = value;
    this.params = copy;
    this.#last = last;
    this.#text = text;
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
 * Reads the lines of a stream, which differ in one param: what stands before it is compared and not parsed, and that
 * what is left is one JSON value shows that the line is what it seems.
 */
export class RepetitionReader {
  #repeated: Repeated | undefined;

  /** The notification between two places of a text, if it is such a one. */
  read(text: string, start: number, end: number): RepeatedNotification | undefined {
    const repeated = this.#repeated;
    if (repeated === undefined || !text.startsWith(repeated.head, start)) return undefined;
    const paramEnd = end - lineEnd.length;
    if (!text.startsWith(lineEnd, paramEnd)) return undefined;
    const param = text.slice(start + repeated.head.length, paramEnd);
    try {
      return new RepeatedNotification(repeated, JSON.parse(param), param);
    } catch {
      // More params follow, or it is no JSON: it is read as any other line, and so are those like it.
      this.#repeated = undefined;
      return undefined;
    }
  }

  /** Expects more lines like this one, if it is of that kind; gives whether it is. */
  learn(line: string, message: unknown): boolean {
    const repeated = toRepeated(message);
    if (repeated === undefined || !line.startsWith(repeated.head)) return false;
    this.#repeated = repeated;
    return true;
  }
}

/** What the lines of a stream have in common. */
interface Repeated {
  /** What each line begins with, up to the value of its last param. */
  readonly head: string;
  readonly method: string;
  /** Those of the first such line. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly last: string;
}

/** What a line ends with, behind its last param: the ends of the params and of the message. */
const lineEnd = '}}';

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
  for (const [name, value] of entries) {
    if (typeof value !== 'string') return undefined;
    head += `${JSON.stringify(name)}:${JSON.stringify(value)},`;
  }
  return { head: `${head}${JSON.stringify(last)}:`, method, params: named, last };
}
