import type { ReactElement } from 'react';
import { relativePath } from './relative-path.ts';

/** A file, as it is called within the folder of the session. */
export interface PathNameProps {
  readonly path: string;
  readonly line?: number;
  readonly cwd?: string;
}

/** A path that may be broken at its slashes; its title is the whole of it. */
export function PathName({ path, line, cwd }: PathNameProps): ReactElement {
  const shown = relativePath(path, cwd);
  return (
    <code className="path-name" title={path}>
      {line === undefined ? shown : `${shown}:${line}`}
    </code>
  );
}
