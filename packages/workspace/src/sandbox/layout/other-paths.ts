import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isBelow } from '../../files/confinement/roots.ts';

/** A mounted file system, or a part of one. */
interface Mount {
  readonly device: string;
  /** The folder of the file system that is mounted. */
  readonly root: string;
  readonly at: string;
}

/** Returns the paths at which something is mounted. Linux only. */
export async function mountedPaths(): Promise<readonly string[]> {
  return (await readMounts()).map(({ at }) => at);
}

async function readMounts(): Promise<readonly Mount[]> {
  return parseMounts(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''));
}

/** Returns the other paths of files, where the same file system is mounted more than once. Linux only. */
export async function otherPathsOf(files: readonly string[]): Promise<readonly string[]> {
  const mounts = await readMounts();
  const candidates = files.flatMap((file) => otherPaths(file, mounts).map((other) => [file, other] as const));
  const found = await Promise.all(
    candidates.map(async ([file, other]) => ((await isSame(file, other)) ? [other] : [])),
  );
  return found.flat();
}

function otherPaths(file: string, mounts: readonly Mount[]): readonly string[] {
  const around = mounts
    .filter(({ at }) => isBelow(at, file))
    .toSorted((a, b) => a.at.length - b.at.length)
    .at(-1);
  if (around === undefined) return [];
  const inside = path.join(around.root, path.relative(around.at, file));
  return mounts
    .filter(({ device, root }) => device === around.device && isBelow(root, inside))
    .map(({ root, at }) => path.join(at, path.relative(root, inside)))
    .filter((other) => other !== file);
}

/** Reads `/proc/self/mountinfo`: id, parent, device, root, mount point, … Of mounts at one path, the last one counts. */
function parseMounts(text: string): readonly Mount[] {
  const mounts = new Map<string, Mount>();
  for (const line of text.split('\n')) {
    const [, , device, root, at] = line.split(' ');
    if (device === undefined || root === undefined || at === undefined) continue;
    mounts.set(at, { device, root: unescaped(root), at: unescaped(at) });
  }
  return [...mounts.values()];
}

/** Spaces and the like are written as octal numbers. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/gu, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 8)),
  );
}

async function isSame(file: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all(
    [file, other].map((each) => lstat(each, { bigint: true }).catch(() => undefined)),
  );
  return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
}
