import type { WorkspaceError } from '@parley/workspace';
import { allWorktrees, worktreeTrouble } from '@parley/workspace/worktree';
import { stateFolder, type Variables } from '../configuration/places.ts';
import { type Finding, note, ok } from './finding.ts';

/** The worktrees of all repositories, and what is wrong with them. */
export async function examineWorktrees(env: Variables): Promise<readonly Finding[]> {
  const damaged: WorkspaceError[] = [];
  const records = await allWorktrees({
    stateFolder: stateFolder(env),
    onDamaged: (error) => damaged.push(error),
  });
  const findings = damaged.map(({ message }) => note('worktrees', message));
  for (const record of records) {
    const trouble = await worktreeTrouble(record);
    if (trouble !== undefined) findings.push(note('worktrees', trouble.message, trouble.advice));
  }
  if (findings.length > 0) return findings;
  return [ok('worktrees', records.length === 0 ? 'none' : String(records.length))];
}
