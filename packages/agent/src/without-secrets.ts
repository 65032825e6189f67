/** Shorter values are not redacted, because they occur in any text. */
const minSecretChars = 4;

/** Redacts secrets in a message that may contain them. */
export function withoutSecrets(message: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= minSecretChars)
    .toSorted(longestFirst)
    .reduce((text, secret) => text.replaceAll(secret, '***'), message);
}

/** One may be the beginning of another. */
function longestFirst(one: string, other: string): number {
  return other.length - one.length;
}
