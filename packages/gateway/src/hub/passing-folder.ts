import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentSpec } from '@parley/host';

/** A folder to be in for a while. Disposing of it never rejects. */
export interface PassingFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Opens a folder for an agent that runs for no session: an empty one, as a project's instructions have no part in that.
 * One that is elsewhere has no such folder, and gets one that sessions may use.
 */
export async function openPassingFolder(
  { reach }: AgentSpec,
  [workspace]: readonly [string, ...string[]],
): Promise<PassingFolder> {
  if (reach.by !== 'command') return { path: workspace, [Symbol.asyncDispose]: () => Promise.resolve() };
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-look-')));
  return {
    path: folder,
    [Symbol.asyncDispose]: async () => {
      try {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      } catch {
        // Something of the agent's still writes there: the system empties its temporary folder.
      }
    },
  };
}
