import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';
import type { ExplainFlags } from './explain.ts';
import type { ListFlags } from './list.ts';
import type { SimulateFlags } from './simulate.ts';
import type { TrustFlags } from './trust.ts';

/** What the commands need besides their words. */
export interface PermissionsOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** `parley permissions`, and what it can do. */
export function addPermissionsCommand(root: Command, { surroundings, finish }: PermissionsOptions): void {
  const permissions = root
    .command('permissions')
    .summary('what is allowed, and who decided so')
    .description('Shows and changes what agents are allowed to do.');

  permissions
    .command('list')
    .summary('remembered answers, trusted files, and the rules that hold here')
    .description(
      'Lists the answers that are remembered, the files that are trusted, and the rules that hold in a folder.',
    )
    .option('--cwd <dir>', 'the folder')
    .option('--json', 'one JSON document')
    .action(async (flags: ListFlags) => {
      const { listPermissions } = await import('./list.ts');
      finish(await listPermissions(flags, surroundings));
    });

  permissions
    .command('revoke')
    .summary('take back a remembered answer, or the trust in a file')
    .description(
      'Takes back one remembered answer, the trust in one file, or all of them. It counts from the next question on.',
    )
    .argument('<id>', 'as parley permissions list shows it, or "all"')
    .action(async (id: string) => {
      const { revokePermission } = await import('./revoke.ts');
      finish(await revokePermission(id, surroundings));
    });

  permissions
    .command('explain')
    .summary('what would be decided about a command, a file or an address, and why')
    .description('Says what would be decided about a command, a file or an address, and which rules say so.')
    .argument('<command-or-path>', 'a command (in quotes), a path, or an address that begins with https://')
    .option('-a, --agent <name>', 'as done by this agent')
    .option('--kind <kind>', 'what is done: execute, fetch, read, edit, delete, move or search')
    .option('--cwd <dir>', 'the folder of the session')
    .option('--config <file>', "read this configuration instead of the user's and the project's")
    .option('--json', 'one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  parley permissions explain "git push && npm publish"
  parley permissions explain src/main.ts
  parley permissions explain --kind delete notes.txt
  parley permissions explain --agent codex https://example.com/`,
    )
    .action(async (typed: string, flags: ExplainFlags) => {
      const { explainPermission } = await import('./explain.ts');
      finish(await explainPermission(typed, flags, surroundings));
    });

  permissions
    .command('simulate')
    .summary('what of the requests of before would be decided otherwise now')
    .description(
      'Judges every permission request in the event logs by the rules of today, or of a file, and lists what would be decided otherwise.',
    )
    .option('--rules <file>', 'judge by these rules: a configuration, or a list of rules')
    .option('--since <age>', 'only requests that are no older: 90m, 12h, 7d, 4w')
    .option('--json', 'one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  parley permissions simulate --since 7d
  parley permissions simulate --rules stricter.json --json`,
    )
    .action(async (flags: SimulateFlags) => {
      const { simulatePermissions } = await import('./simulate.ts');
      finish(await simulatePermissions(flags, surroundings));
    });

  permissions
    .command('trust')
    .summary("let a project's files add agents, allow things and choose the model")
    .description(
      "Shows all that the project's .parley/config.json wants beyond narrowing, what the .env of the folder sets, and what " +
        '.parley/setup of the repository runs in new worktrees, and trusts the files as they are now. Until then none of it counts.',
    )
    .option('--cwd <dir>', 'a folder of the project')
    .option('--yes', 'do not ask')
    .action(async (flags: TrustFlags) => {
      const { trustProject } = await import('./trust.ts');
      finish(await trustProject(flags, surroundings));
    });
}
