import { redacted } from './stored-config.ts';

/** A text for people, without the secrets of its session. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (clean, secret) => (secret === '' ? clean : clean.replaceAll(secret, redacted)),
    text,
  );
}
