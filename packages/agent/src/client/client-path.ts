import { belowDirectory } from '../tools/argument/below-directory.ts';
import type { Workplace } from '../tools/tool.ts';

/** Converts a real path to the client's name for it: the working directory that the client sent may contain links. */
export function toClientPath(real: string, { cwd, files, environment }: Workplace): string {
  return real === files.cwd ? cwd : environment.toAbsolutePath(cwd, belowDirectory(files.cwd, real));
}
