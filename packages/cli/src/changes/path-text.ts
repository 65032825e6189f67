import type { ChangedPath } from '@parley/host';
import { toPlainLine } from '../output/plain.ts';

/** A changed path for a terminal: one line, without control characters. */
export function pathText(path: ChangedPath): string {
  const text = typeof path === 'string' ? path : Buffer.from(path.base64, 'base64').toString('utf8');
  const line = toPlainLine(text, 4096);
  return line === text ? line : JSON.stringify(line);
}

/** `3 files`, `1 file`. */
export function countText(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
