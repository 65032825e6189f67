import type { FindFiles } from './use-completion.ts';

/** How many files are shown. */
const mostFiles = 30;

/** Looks files of a session's folder up on the server. */
export function findFilesOf(sessionKey: string): FindFiles {
  return async (query, signal) => {
    const wanted = new URLSearchParams({ session: sessionKey, q: query, limit: String(mostFiles) });
    const answer = await fetch(`/api/files?${wanted.toString()}`, { signal });
    if (!answer.ok) throw new Error(`looking for files: the server answered ${String(answer.status)}`);
    const found: unknown = await answer.json();
    if (typeof found !== 'object' || found === null || !('files' in found) || !Array.isArray(found.files)) {
      throw new Error('looking for files: the server answered something else');
    }
    return found.files.filter((file) => typeof file === 'string');
  };
}
