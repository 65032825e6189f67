import { randomBytes } from 'node:crypto';

/** The key of a new event log, which is the name of its folder too: in the order of time, and nobody's twice. */
export function createEventLogKey(): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
  return `${time}-${randomBytes(6).toString('hex')}`;
}

/** Whether a text may be the key of an event log: a plain name, which leads nowhere else. */
export function isEventLogKey(text: string): boolean {
  return /^\w[\w-]{0,99}$/u.test(text);
}
