import { lstat } from 'node:fs/promises';
import { WorkspaceError } from '../../error.ts';

/** Rejects with `not-started` if a path to be protected is a symbolic link: no mount can protect the link itself. */
export async function refuseLink(file: string): Promise<void> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats?.isSymbolicLink() !== true) return;
  throw new WorkspaceError(
    'not-started',
    `protect ${JSON.stringify(file)} in the sandbox: it is a symbolic link, which a sandbox cannot protect from being replaced; ` +
      'put its target in its place, or use the sandbox mode read-only',
    { path: file },
  );
}
