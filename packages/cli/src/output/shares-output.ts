import { fstatSync } from 'node:fs';
import type { Surroundings } from '../surroundings.ts';

/** Whether what is written to standard error appears between the lines of standard output: on a screen, or with `2>&1`. */
export function sharesOutput({ stdout, stderr }: Pick<Surroundings, 'stdout' | 'stderr'>): boolean {
  if (stdout.isTTY === true) return true;
  const [left, right] = [fileOf(stdout), fileOf(stderr)];
  return left !== undefined && left === right;
}

/** The file, pipe or device of a stream; undefined for a stream without one. */
function fileOf(stream: object): string | undefined {
  if (!('fd' in stream) || typeof stream.fd !== 'number') return undefined;
  try {
    const { dev, ino } = fstatSync(stream.fd, { bigint: true });
    return `${String(dev)}:${String(ino)}`;
  } catch {
    // It was closed before the command was started.
    return undefined;
  }
}
