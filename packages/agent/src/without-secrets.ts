/** Shorter ones are words of any text. */
const minSecretChars = 4;

/** A message that may repeat what it must not tell, without it. */
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
