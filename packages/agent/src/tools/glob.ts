import { parseArguments } from './argument/arguments.ts';
import { belowDirectory } from './argument/below-directory.ts';
import { toPathArgument } from './argument/path-argument.ts';
import { toTitle } from './argument/title.ts';
import { codeContent, textContent } from './content.ts';
import type { Tool } from './tool.ts';

/** Locations in the updates of one call. */
const maxLocations = 100;

/** `glob`: files by their names. */
export const globTool: Tool = {
  name: 'glob',
  kind: 'search',
  description:
    "Finds files inside the session's directories by a pattern of names, ordered by path. Ignored files are left out.",
  inputSchema: {
    type: 'object',
    properties: {
      pattern: {
        type: 'string',
        description:
          'For example `*.ts` (at any depth), `src/**/*.{ts,tsx}` or `**/test/*`; relative to the directory that is searched',
      },
      path: { type: 'string', description: 'A directory to search; by default the working directory' },
    },
    required: ['pattern'],
  },
  prepare(input, workplace) {
    const { cwd, files, environment, limits } = workplace;
    const given = parseArguments('glob', input);
    const pattern = given.word('pattern');
    const where = given.optionalWord('path');
    const place = where === undefined ? undefined : toPathArgument(where, workplace);
    return {
      title: toTitle(`Find ${pattern}${place === undefined ? '' : ` in ${place.shown}`}`),
      ...(place !== undefined && { locations: [{ path: place.path }] }),
      action: { kind: 'read' },
      run: async ({ signal }) => {
        const {
          paths,
          hasMore,
          withheld = 0,
        } = await files.glob(toRelative(pattern, [cwd, files.cwd]), {
          ...(place !== undefined && { path: place.path }),
          limit: limits.globFiles,
          signal,
        });
        const rawOutput = { files: paths.length, hasMore };
        const note = [
          ...(hasMore ? [`[More than ${String(limits.globFiles)} files; the rest is left out]`] : []),
          ...(withheld > 0 ? [`[${String(withheld)} files are left out: rules protect them]`] : []),
        ];
        if (paths.length === 0) {
          const text = ['No such files', ...note].join('\n');
          return { text, content: [textContent(text)], rawOutput };
        }
        const names = paths.map((found) => belowDirectory(files.cwd, found));
        const text = [...names, ...note].join('\n');
        const locations = names
          .slice(0, maxLocations)
          .map((name) => ({ path: environment.toAbsolutePath(cwd, name) }));
        return { text, content: [codeContent(text)], rawOutput, locations };
      },
    };
  },
};

/** Models like to begin a pattern with the working directory. */
function toRelative(pattern: string, directories: readonly string[]): string {
  const found = directories.map((directory) => belowDirectory(directory, pattern));
  return found.find((relative) => relative !== pattern) ?? pattern;
}
