import { Redactor } from '@parley/recording';
import { cut, shown } from './json-value.ts';

/**
 * Makes the text of a report reproducible and safe to print: names that this run chose are numbered, ids and times of
 * the other side are replaced, secrets are redacted, and invisible characters are written out.
 */
export class StableText {
  /** By the name of this run, what is written instead. */
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #redactor = new Redactor();

  constructor(secrets: readonly string[] = []) {
    for (const secret of secrets) this.#redactor.learn(secret, { isCertain: true });
  }

  /** Has a name replaced by its kind and number. */
  add(name: string, kind: NameKind): void {
    if (name === '' || this.#names.has(name)) return;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    this.#names.set(name, `<${kind} ${String(count)}>`);
  }

  /** Has the ids in a message replaced, which the other side chose: they may be others in each run. */
  addIds(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    for (const [key, value] of Object.entries(message)) {
      const kind = idKinds.get(key);
      if (kind !== undefined && typeof value === 'string') this.add(value, kind);
      else this.addIds(value);
    }
  }

  /** A message as JSON, not longer than this. */
  json(message: unknown, maxCharacters: number): string {
    // Cut last: half an id would not be replaced.
    const text = this.text(shown(this.#redactor.redact(message), maxCharacters * 10));
    return cut(text, maxCharacters);
  }

  text(raw: string): string {
    let text = this.#redactor.redactText(raw);
    for (const [name, instead] of this.#names) {
      const quoted = JSON.stringify(name);
      text = text.replaceAll(quoted, JSON.stringify(instead));
      // A short id such as "1" is replaced only where it is a whole value.
      if (name.length >= 8) text = text.replaceAll(name, instead);
    }
    for (const [pattern, instead] of changing) text = text.replace(pattern, instead);
    return toPrintable(text);
  }
}

/** What the name is of. */
type NameKind = 'folder' | 'session' | 'tool call' | 'message';

/** Fields with ids that an agent chooses. */
const idKinds: ReadonlyMap<string, NameKind> = new Map([
  ['sessionId', 'session'],
  ['toolCallId', 'tool call'],
  ['messageId', 'message'],
]);

/** A text of the other side on one line, with all that cannot be seen written out. */
export function toPrintable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** What is different each time. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/giu, '<id>'],
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})/gu, '<time>'],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{16,}\b/giu, '<id>'],
  [/\b[0-9A-HJKMNP-TV-Z]{26}\b/gu, '<id>'],
  [/(?<!\d)1[6-9]\d{8}(?:\d{3})?(?!\d)/gu, '<time>'],
  [/(?<![\w./<])(?:\/(?:tmp|var|private|home|root|Users|dev\/shm)\/)[^\s"'\\,;:)}\]]+/gu, '<path>'],
];
