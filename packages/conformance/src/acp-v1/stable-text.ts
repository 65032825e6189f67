import { Redactor } from '@parley/recording';
import { shown } from './json-value.ts';

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
  add(name: string, kind: 'folder' | 'session'): void {
    if (name === '' || this.#names.has(name)) return;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    this.#names.set(name, `<${kind} ${String(count)}>`);
  }

  /** A message as JSON, not longer than this. */
  json(message: unknown, maxCharacters: number): string {
    return this.text(shown(this.#redactor.redact(message), maxCharacters));
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
