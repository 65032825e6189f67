import { askApi } from '../hub/api.ts';
import { suggestedFiles } from '../limits.ts';
import type { FindFiles } from './use-completion.ts';

/** Where to search files: in the folder of a session, or in the folder of a new session. */
export type FilesPlace = { readonly session: string } | { readonly path: string };

/** Looks files up on the server. */
export function findFilesIn(place: FilesPlace): FindFiles {
  return async (query, signal) => {
    const wanted = new URLSearchParams({ ...place, q: query, limit: String(suggestedFiles) });
    const path = `/api/files?${wanted.toString()}`;
    return (await askApi<{ readonly files: readonly string[] }>(path, { signal })).files;
  };
}
