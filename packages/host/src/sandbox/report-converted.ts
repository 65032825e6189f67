import type { HostContext } from '../host-context.ts';

/** Warns about folders that became repositories since the last time, where the sandbox could not prevent it. */
export function reportConverted({ sandbox, diagnose }: HostContext): void {
  for (const folder of sandbox?.takeConverted() ?? []) {
    const message =
      `${JSON.stringify(folder)} became a git repository of its own: it has HEAD, objects and refs. ` +
      'git commands in it can run programs that its config names. Review these files before you use git there';
    diagnose('warning', 'became-repository', message);
  }
}
