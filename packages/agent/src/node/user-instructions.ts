import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { UserInstructions } from '../environment.ts';

/** A file of the user's own; it may be a link to anywhere. */
export function userInstructionsAt(path: string): UserInstructions {
  return {
    path,
    read: async (maxBytes) => {
      const { openFiles, toWorkspaceError } = await import('@parley/workspace');
      try {
        const real = await realpath(path);
        const files = await openFiles({ cwd: dirname(real) });
        return (await files.readText(basename(real), { maxBytes })).text;
      } catch (error) {
        throw toWorkspaceError(error, 'read', path);
      }
    },
  };
}
