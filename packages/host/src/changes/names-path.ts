import type { ChangedPath } from '../event/changes-event.ts';

/** Whether a path is the one that is named, or in the folder that is named. */
export function namesPath(named: ChangedPath, path: ChangedPath): boolean {
  const name = bytesOf(named);
  const other = bytesOf(path);
  const folder = name.endsWith('/') ? name : `${name}/`;
  return name === '' || name === '.' || other === name || other.startsWith(folder);
}

/** One character for each byte, to compare names that are not text too. */
function bytesOf(path: ChangedPath): string {
  const bytes = typeof path === 'string' ? Buffer.from(path) : Buffer.from(path.base64, 'base64');
  return bytes.toString('latin1');
}
