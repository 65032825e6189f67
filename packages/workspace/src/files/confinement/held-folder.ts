import { stat } from 'node:fs/promises';
import { WorkspaceError } from '../../error.ts';
import { openAnchor } from './anchor.ts';
import { locateExisting } from './locate.ts';
import type { FileRequest } from './request.ts';

/**
 * A folder of a session that is kept open: a process that starts in it starts in this very folder, even if its path
 * changes. (If `Reach` is `path`, as far as two checks show.)
 */
export interface HeldFolder extends AsyncDisposable {
  /** Its real path. */
  readonly path: string;
  /** The path by which the system reaches the folder while it is open. */
  readonly reach: string;
  /** Identifies the folder: the same path may lead to another one later. */
  readonly mark: string;
  /** @throws {WorkspaceError} `changed`: its path leads to another folder now. */
  check(): Promise<void>;
}

/** Opens an existing folder. */
export async function holdFolder(request: FileRequest): Promise<HeldFolder> {
  const real = await locateExisting(request);
  if (!(await stat(real)).isDirectory()) throw request.refuse('not-a-directory', 'not a directory');
  const anchor = await openAnchor(real, request);
  try {
    const mark = await markOf(anchor.at('.'));
    return {
      path: anchor.path,
      reach: request.roots.reach === 'descriptor' ? anchor.at('').replace(/\/$/u, '') : anchor.path,
      mark,
      check: async () => {
        const now = await markOf(anchor.path).catch(() => undefined);
        if (now === mark) return;
        const message = `start a command in ${JSON.stringify(anchor.path)}: the folder was replaced after it was shown; ask for it again`;
        throw new WorkspaceError('changed', message, { path: anchor.path });
      },
      [Symbol.asyncDispose]: () => anchor[Symbol.asyncDispose](),
    };
  } catch (error) {
    await anchor[Symbol.asyncDispose]();
    throw error;
  }
}

async function markOf(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return `${String(dev)}:${String(ino)}`;
}
