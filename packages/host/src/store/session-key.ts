import { randomBytes } from 'node:crypto';

/** A key for a new session, unique; keys sort by time. */
export function createSessionKey(): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
  return `${time}-${randomBytes(6).toString('hex')}`;
}

/** Whether a text may be the key of a session: a plain name, as it may be the name of a folder. */
export function isSessionKey(text: string): boolean {
  return /^\w[\w-]{0,99}$/u.test(text);
}
