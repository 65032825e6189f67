import type { Environment } from '../environment.ts';
import type { Files, SearchMatch } from '../files.ts';
import type { ConversationPermissions } from './conversation-permissions.ts';

/**
 * The files of a session, where searches and listings leave out what rules deny, so that looking at a folder is no way
 * around them; and a search leaves out the files that a rule asks about, unless a rule spoke of the search itself. Files with
 * keys in them are searched only by their names, for that is asked about.
 */
export function toSearchableFiles(
  files: Files,
  permissions: ConversationPermissions,
  environment: Pick<Environment, 'protectedFiles' | 'toAbsolutePath'>,
): Files {
  const rule = (kind: 'read' | 'search', path: string, tool: string = kind): string | undefined =>
    permissions.judge({ kind, tool, paths: [path] })?.decision;
  const isDenied = (path: string, kind: 'read' | 'search', tool: string): boolean =>
    rule('read', path) === 'deny' || rule(kind, path, tool) === 'deny';

  const withhold = async (
    matches: readonly SearchMatch[],
    folder: string,
  ): Promise<readonly SearchMatch[]> => {
    const isSpokenOf = rule('search', await files.resolve(folder)) !== undefined;
    const isOpen = (path: string): boolean => {
      const decisions = new Set([rule('read', path), rule('search', path)]);
      return !decisions.has('deny') && (isSpokenOf || !decisions.has('ask'));
    };
    const open = new Set([...new Set(matches.map(({ path }) => path))].filter(isOpen));
    return matches.filter(({ path }) => open.has(path));
  };

  const withoutKeys = async (
    matches: readonly SearchMatch[],
    folder: string,
  ): Promise<readonly SearchMatch[]> => {
    const paths = [...new Set(matches.map(({ path }) => path))];
    const named = await files.resolve(folder);
    const protectedFiles = await environment.protectedFiles(
      paths.filter((path) => path !== named),
      'read',
      files,
    );
    const hidden = new Set(protectedFiles.flatMap((file) => file.paths));
    return matches.filter(({ path }) => !hidden.has(path));
  };

  return {
    ...files,
    search: async (pattern, options = {}) => {
      const result = await files.search(pattern, options);
      const folder = options.path ?? files.cwd;
      const known = await withoutKeys(result.matches, folder);
      const matches = permissions.isEmpty ? known : await withhold(known, folder);
      return { ...result, matches, isRuled: !permissions.isEmpty };
    },
    glob: async (pattern, options) => {
      const result = await files.glob(pattern, options);
      if (permissions.isEmpty) return result;
      const paths = result.paths.filter((path) => !isDenied(path, 'search', 'glob'));
      return { ...result, paths, withheld: result.paths.length - paths.length };
    },
    list: async (path, options) => {
      const result = await files.list(path, options);
      if (permissions.isEmpty) return result;
      const folder = await files.resolve(path);
      const entries = result.entries.filter(
        ({ name }) => !isDenied(environment.toAbsolutePath(folder, name), 'read', 'list'),
      );
      return { ...result, entries, withheld: result.entries.length - entries.length };
    },
  };
}
