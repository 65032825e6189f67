import { realpath } from 'node:fs/promises';
import { type Checkpoints, type CheckpointsOptions, openCheckpoints } from './checkpoints.ts';

/** Opens checkpoints, like {@link openCheckpoints}. */
export type OpenCheckpoints = (options: CheckpointsOptions) => Promise<Checkpoints>;

/** Lets sessions of one process that work in the same folder share open checkpoints and simultaneous takes. */
export function shareCheckpoints(): OpenCheckpoints {
  const opened = new Map<string, SharedCheckpoints>();
  return async (options) => {
    const workspace = await realpath(options.workspace).catch(() => options.workspace);
    const key = JSON.stringify([workspace, options.stateDir, options.limits]);
    const shared = opened.get(key) ?? { checkpoints: openCheckpoints(options), users: 0 };
    opened.set(key, shared);
    shared.users += 1;
    const release = async (): Promise<void> => {
      shared.users -= 1;
      if (shared.users > 0) return;
      if (opened.get(key) === shared) opened.delete(key);
      await (await shared.checkpoints)[Symbol.asyncDispose]();
    };
    try {
      return toUsed(await shared.checkpoints, release);
    } catch (error) {
      opened.delete(key);
      throw error;
    }
  };
}

interface SharedCheckpoints {
  readonly checkpoints: Promise<Checkpoints>;
  users: number;
}

function toUsed(checkpoints: Checkpoints, release: () => Promise<void>): Checkpoints {
  let released: Promise<void> | undefined;
  return {
    take: (options) => checkpoints.take(options),
    compare: (before, after, options) => checkpoints.compare(before, after, options),
    entries: (id, paths) => checkpoints.entries(id, paths),
    folders: (id) => checkpoints.folders(id),
    omitted: (id) => checkpoints.omitted(id),
    read: (blob) => checkpoints.read(blob),
    stored: () => checkpoints.stored(),
    mostIncludedBytes: checkpoints.mostIncludedBytes,
    [Symbol.asyncDispose]: () => (released ??= release()),
  };
}
