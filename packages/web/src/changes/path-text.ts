import type { ChangedPath } from '@parley/host/state';

/** A path as it is shown: bytes that are no text by their numbers. */
export function pathText(path: ChangedPath): string {
  if (typeof path === 'string') return path;
  return [...atob(path.base64)]
    .map((byte) =>
      byte >= ' ' && byte <= '~' ? byte : `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .join('');
}
