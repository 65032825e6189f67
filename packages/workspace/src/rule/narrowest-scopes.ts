import { dirname, isAbsolute, relative } from 'node:path';
import { commandText } from '../command/command-text.ts';
import type { Command } from '../command/command.ts';
import { prefixOf } from './command-prefix.ts';
import { escapePath } from './path-pattern.ts';
import type { RuleScope } from './rule.ts';
import type { Subject } from './subject.ts';

/**
 * Returns what "always" should cover for a tool call: the first words of a command if they are sufficient, else
 * exactly this command; the folder of each file; the host; the tool. Together they cover the call and little more.
 *
 * @param cwd The folder that paths of rules are relative to.
 */
export function narrowestScopes(subject: Subject, cwd: string): readonly RuleScope[] {
  const { kind = 'other', tool, command, paths, host } = subject;
  if (command !== undefined) return [{ tool: kind, ...commandScope(command) }];
  if (host !== undefined) return [{ tool: kind, host }];
  if (paths.length === 0) return [{ tool: kind === 'other' ? (tool ?? kind) : kind }];
  const isReading = kind === 'read' || kind === 'search';
  const folders = new Set(paths.map((path) => folderPattern(path, cwd, isReading)));
  return [...folders].map((path) => ({ tool: kind, path }));
}

function commandScope(command: Command): Pick<RuleScope, 'command' | 'commandPrefix'> {
  const commandPrefix = prefixOf(command);
  return commandPrefix === undefined ? { command: commandText(command) } : { commandPrefix };
}

/** The folder of a file and all below it; of the session's directory, and elsewhere, only what is directly there. */
function folderPattern(path: string, cwd: string, isReading: boolean): string {
  const inside = relative(cwd, path).replaceAll('\\', '/');
  if (inside === '') return isReading ? '.' : '*';
  if (isAbsolute(inside) || inside === '..' || inside.startsWith('../')) {
    const folder = escapePath(dirname(path));
    return folder.endsWith('/') ? `${folder}*` : `${folder}/*`;
  }
  const folder = dirname(inside);
  if (folder === '.') return '*';
  const literal = folder.startsWith('~') ? `./${folder}` : folder;
  const escaped = escapePath(literal);
  return escaped === literal ? literal : `${escaped}/**`;
}
