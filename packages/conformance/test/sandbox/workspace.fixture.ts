import { execFileSync } from 'node:child_process';
import type { SandboxPlan } from '@parley/workspace/sandbox';

/** The plan of a sandbox for one folder. */
export function planFor(folder: string, changes: Partial<SandboxPlan> = {}): SandboxPlan {
  return {
    mode: 'workspace',
    folders: [folder],
    stateDirs: [],
    write: [],
    read: 'all',
    program: [],
    hide: [],
    ownState: [],
    network: 'off',
    ...changes,
  };
}

/** Runs git in a folder. */
export function git(folder: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  return execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' });
}
