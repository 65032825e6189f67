import path from 'node:path';
import { openFiles } from '../files.ts';

/** Files of a folder that are searched. */
const mostLookedAt = 10_000;

/** Finds files of a folder whose names contain a text: relative paths, best matches first. */
export async function findFiles(
  cwd: string,
  query: string,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const files = await openFiles({ cwd });
  const { paths } = await files.glob('**', { limit: mostLookedAt, signal });
  const root = await files.resolve(cwd);
  return rankFiles(
    paths.map((file) => path.relative(root, file).split(path.sep).join('/')),
    query,
  ).slice(0, limit);
}

/**
 * Ranks the paths that contain the query: at the start of the name, within the name, then elsewhere in the path;
 * shorter paths first.
 */
export function rankFiles(paths: readonly string[], query: string): readonly string[] {
  const wanted = query.toLowerCase();
  return paths
    .flatMap((file) => {
      const rank = rankOf(file.toLowerCase(), wanted);
      return rank === undefined ? [] : [{ file, rank }];
    })
    .toSorted(
      (left, right) =>
        left.rank - right.rank || left.file.length - right.file.length || left.file.localeCompare(right.file),
    )
    .map(({ file }) => file);
}

function rankOf(file: string, wanted: string): number | undefined {
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  return file.includes(wanted) ? 2 : undefined;
}
