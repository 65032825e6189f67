import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, lstat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestWorkspace } from './workspace.fixture.ts';

/** More files than the fewest from which a first checkpoint copies objects of the user's repository. */
export const many = 1100;

/** Writes many files below `many/`. */
export async function writeMany(workspace: Pick<TestWorkspace, 'at'>, prefix = ''): Promise<void> {
  await mkdir(workspace.at(`${prefix}many`), { recursive: true });
  const numbers = Array.from({ length: many }, (_, index) => String(index));
  await Promise.all(
    numbers.map((number) => writeFile(workspace.at(`${prefix}many/${number}`), `file ${number}\n`)),
  );
}

/** Gives the index a later time: files that are as old as the index count as changed. */
export async function rewriteIndexLater({ at }: Pick<TestWorkspace, 'at'>): Promise<void> {
  const later = new Date(Date.now() + 10_000);
  await utimes(at('.git/index'), later, later);
}

/** All that is below a folder: kinds, permissions, times and contents by path. */
export async function fingerprint(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const { mode, mtimeNs, ctimeNs } = await lstat(file, { bigint: true });
      const content = entry.isSymbolicLink()
        ? await readlink(file)
        : entry.isFile()
          ? await readFile(file)
          : '';
      const digest = createHash('sha256').update(content).digest('hex');
      return [file, [mode, mtimeNs, ctimeNs, digest].join(' ')] as const;
    }),
  );
  return Object.fromEntries(found.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
