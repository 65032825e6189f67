import path from 'node:path';

/** What a path is inside a sandbox, with everything below it that has no entry of its own. */
export type Access =
  | 'read'
  | 'write'
  /** An empty folder in place of the one outside. */
  | 'empty'
  /** An empty file in place of the one outside. */
  | 'nothing'
  /** The temporary folder of the sandbox. */
  | 'temporary'
  /** Devices and processes of the sandbox. */
  | 'dev'
  | 'proc';

/** By absolute real path; the deepest entry applies. Has an entry for `/`. */
export type AccessMap = ReadonlyMap<string, Access>;

/** Returns what a real path is inside. */
export function accessTo(file: string, accesses: AccessMap): Access {
  for (let at = file; at !== '/'; at = path.dirname(at)) {
    const access = accesses.get(at);
    if (access !== undefined) return access;
  }
  return accesses.get('/') ?? 'empty';
}

/** Whether the file outside can be seen inside. */
export function isVisible(access: Access): boolean {
  return access === 'read' || access === 'write';
}
