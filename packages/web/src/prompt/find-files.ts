import { askApi } from '../desk/api.ts';
import type { FindFiles } from './use-completion.ts';

/** How many files are shown. */
const mostFiles = 30;

/** Looks files of a session's folder up on the server. */
export function findFilesOf(sessionKey: string): FindFiles {
  return async (query, signal) => {
    const wanted = new URLSearchParams({ session: sessionKey, q: query, limit: String(mostFiles) });
    const path = `/api/files?${wanted.toString()}`;
    return (await askApi<{ readonly files: readonly string[] }>(path, { signal })).files;
  };
}
