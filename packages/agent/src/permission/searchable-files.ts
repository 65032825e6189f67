import type { Files, SearchMatch } from '../files.ts';
import type { SessionPermissions } from './session-permissions.ts';

/**
 * The files of a session, where a search leaves out what is in files that a rule denies, so that searching a folder is
 * no way around it; and those that a rule asks about, unless a rule spoke of the search itself.
 */
export function toSearchableFiles(files: Files, permissions: SessionPermissions): Files {
  const rule = (kind: 'read' | 'search', path: string): string | undefined =>
    permissions.judge({ kind, tool: kind, paths: [path] })?.decision;

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

  return {
    ...files,
    search: async (pattern, options = {}) => {
      const result = await files.search(pattern, options);
      if (permissions.isEmpty) return result;
      const matches = await withhold(result.matches, options.path ?? files.cwd);
      return { ...result, matches, withheld: result.matches.length - matches.length };
    },
  };
}
