import type { RuleScope } from '@parley/workspace/rule';

/** What a remembered answer covers, for the name of its option. */
export function scopeText(scopes: readonly RuleScope[]): string {
  const byDeed = new Map<string, string[]>();
  for (const scope of scopes) {
    const deed = deedText(scope);
    const places = byDeed.get(deed) ?? [];
    byDeed.set(deed, places);
    if (scope.path !== undefined) places.push(placeText(scope.path));
  }
  return Array.from(byDeed, ([deed, places]) =>
    places.length === 0 ? deed : `${deed} ${places.join(' and ')}`,
  ).join(' and ');
}

function deedText({ tool, command, commandPrefix, path, host }: RuleScope): string {
  if (commandPrefix !== undefined) return `commands that begin with \`${commandPrefix}\``;
  if (command !== undefined) return 'exactly this command';
  if (host !== undefined) return `fetching from ${host}`;
  if (path === undefined) return `all calls of ${tool}`;
  switch (tool) {
    case 'edit':
      return 'changes of files';
    case 'delete':
      return 'deleting of files and empty folders';
    case 'move':
      return 'moving of files and folders';
    case 'read':
      return 'reading of files';
    case 'search':
      return 'searching';
    default:
      return `calls of ${tool}`;
  }
}

/** Describes a pattern from `RuleBook.narrowest`. */
function placeText(path: string): string {
  if (path === '.') return 'in the working directory';
  if (path === '*') return 'directly in the working directory';
  const folder = path.replace(/(?:\/\*\*|\/\*)$/u, '').replaceAll(/\[([*?[{])\]/gu, '$1');
  return `${path.endsWith('/*') ? 'directly in' : 'in'} ${folder}/`;
}
