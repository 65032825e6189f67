import { scopePhrase, type RuleScope } from '@parley/workspace/rule';

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

function deedText({ path, ...scope }: RuleScope): string {
  const all = path === undefined ? (tool: string): string => `all calls of ${tool}` : someCalls;
  return scopePhrase(scope, { some: someCalls, all, quote: (command) => `\`${command}\`` });
}

function someCalls(tool: string): string {
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
    case 'fetch':
      return 'fetching';
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
