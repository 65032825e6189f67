import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A directory for one test. */
export interface TemporaryDirectory extends AsyncDisposable {
  /** Its real path. */
  readonly path: string;
  /** The path of a name in it. */
  at(...names: readonly string[]): string;
}

/** Makes a directory that is removed at the end of the block. A sandbox hides what is beside it, unless it is in `PARLEY_TEST_VISIBLE`. */
export async function temporaryDirectory(base = os.tmpdir()): Promise<TemporaryDirectory> {
  const made = await realpath(await mkdtemp(path.join(base, 'parley-hold-')));
  return {
    path: made,
    at: (...names) => path.join(made, ...names),
    [Symbol.asyncDispose]: () => rm(made, { recursive: true, force: true }),
  };
}
