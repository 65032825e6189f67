import { redacted } from './stored-config.ts';

/** A text for people, without the secrets of its session. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .toSorted(longestFirst)
    .reduce((clean, secret) => clean.replaceAll(secret, redacted), text);
}

/** One may be the beginning of another. */
function longestFirst(one: string, other: string): number {
  return other.length - one.length;
}
