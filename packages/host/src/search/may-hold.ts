import { textsBehind } from '../store/records/chunk-line.ts';
import type { SessionStore } from '../store/session-store.ts';
import { inJson, type SearchPattern } from './search-pattern.ts';

/**
 * Whether an event log may contain the text: `false` if it is in none of its lines. Parses no events, because most
 * event logs contain no match.
 */
export async function mayHold(store: SessionStore, key: string, pattern: SearchPattern): Promise<boolean> {
  const { regex, literal } = pattern;
  if (literal === undefined) return true;
  const raw = inJson(pattern, literal);
  const messages = new SpokenText(regex, literal.length * 2);
  const isFound = (json: string): boolean => messages.holds(json) || raw.test(json);
  try {
    await store.read(
      key,
      () => {
        throw found;
      },
      { wants: isFound },
    );
    return false;
  } catch (error) {
    if (error === found) return true;
    throw error;
  }
}

const found = new Error('found');

/** Joins the chunks of messages: a text may begin in one line and end in another. */
class SpokenText {
  readonly #regex: RegExp;
  readonly #kept: number;
  /** The end of each message so far, as long as a match may begin there. */
  readonly #ends = new Map<string, string>();

  constructor(regex: RegExp, kept: number) {
    this.#regex = regex;
    this.#kept = kept;
  }

  /** Whether a message contains the text, including this line. */
  holds(json: string): boolean {
    if (!json.includes(chunk)) return false;
    const piece = stringIn(json, text);
    if (piece === undefined) return false;
    const message = `${json.includes('agent_message') ? 'a' : ''} ${stringIn(json, messageId) ?? ''}`;
    const so = `${this.#ends.get(message) ?? ''}${piece}${textsBehind(json)}`;
    this.#ends.set(message, so.slice(-this.#kept));
    if (this.#ends.size > maxMessages) this.#ends.delete(this.#ends.keys().next().value ?? '');
    return this.#regex.test(so);
  }
}

/** Messages that can be open at the same time. */
const maxMessages = 64;

const chunk = '_chunk"';
const text = /"text":"((?:[^"\\]|\\.)*)"/u;
const messageId = /"messageId":"((?:[^"\\]|\\.)*)"/u;

function stringIn(json: string, field: RegExp): string | undefined {
  const [, value] = field.exec(json) ?? [];
  if (value === undefined || !value.includes('\\')) return value;
  try {
    return String(JSON.parse(`"${value}"`));
  } catch {
    // Of a line that is damaged, which is found out when it is read.
    return undefined;
  }
}
