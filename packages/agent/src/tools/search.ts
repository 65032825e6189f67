import type { ToolCallLocation } from '@parley/acp';
import { parseArguments } from './argument/arguments.ts';
import { belowDirectory } from './argument/below-directory.ts';
import { toPathArgument } from './argument/path-argument.ts';
import { toTitle } from './argument/title.ts';
import { codeContent, textContent } from './content.ts';
import type { Tool } from './tool.ts';

/** Locations in the updates of one call. */
const maxLocations = 100;

/** `search`: lines that match a regular expression. */
export const searchTool: Tool = {
  name: 'search',
  kind: 'search',
  description:
    "Searches the files inside the session's directories for a regular expression. Ignored files are left out.",
  inputSchema: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'A regular expression' },
      include: { type: 'string', description: 'Only files whose names fit, for example `*.ts` or `src/**`' },
      literal: { type: 'boolean', description: 'The pattern is plain text; by default a regular expression' },
      path: {
        type: 'string',
        description: 'A file or directory to search; by default the working directory',
      },
    },
    required: ['pattern'],
  },
  prepare(input, workplace) {
    const { cwd, files, environment, limits } = workplace;
    const given = parseArguments('search', input);
    const pattern = given.word('pattern');
    const include = given.optionalWord('include');
    const literal = given.optionalFlag('literal') ?? false;
    const where = given.optionalWord('path');
    const place = where === undefined ? undefined : toPathArgument(where, workplace);
    return {
      title: toTitle(`Search ${pattern}${toScope(place?.shown, include)}`),
      ...(place !== undefined && { locations: [{ path: place.path }] }),
      action: { kind: 'read' },
      run: async ({ signal }) => {
        const {
          matches,
          hasMore,
          isRuled = false,
        } = await files.search(pattern, {
          ...(place !== undefined && { path: place.path }),
          ...(include !== undefined && { include }),
          literal,
          limit: limits.searchMatches,
          maxLineLength: limits.searchLineChars,
          signal,
        });
        const rawOutput = { matches: matches.length, hasMore };
        const note = [
          ...(hasMore ? [`[More than ${String(limits.searchMatches)} matches; the rest is left out]`] : []),
          ...(isRuled ? ['[Files that rules protect are not searched]'] : []),
        ];
        if (matches.length === 0) {
          const text = ['No matches', ...note].join('\n');
          return { text, content: [textContent(text)], rawOutput };
        }
        const found = matches.map((match) => ({ ...match, path: belowDirectory(files.cwd, match.path) }));
        const lines = found.map((match) => `${match.path}:${String(match.line)}: ${match.text}`);
        const text = [...lines, ...note].join('\n');
        const locations: ToolCallLocation[] = found
          .slice(0, maxLocations)
          .map((match) => ({ path: environment.toAbsolutePath(cwd, match.path), line: match.line }));
        return { text, content: [codeContent(text)], rawOutput, locations };
      },
    };
  },
};

function toScope(where: string | undefined, include: string | undefined): string {
  if (include === undefined) return where === undefined ? '' : ` in ${where}`;
  return ` in ${include}${where === undefined ? '' : ` below ${where}`}`;
}
