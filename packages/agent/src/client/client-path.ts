import { belowDirectory } from '../tools/argument/below-directory.ts';
import type { Workplace } from '../tools/tool.ts';

/** A real path for the client, which knows the working directory by the name it gave it: that may lead through links. */
export function toClientPath(real: string, { cwd, files, environment }: Workplace): string {
  return real === files.cwd ? cwd : environment.toAbsolutePath(cwd, belowDirectory(files.cwd, real));
}
