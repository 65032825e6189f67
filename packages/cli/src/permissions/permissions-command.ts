import type { Command } from 'commander';
import { inStore, storeOption, type TypedStore } from '../store/store-option.ts';
import type { Surroundings } from '../surroundings.ts';
import type { ExplainFlags } from './explain.ts';
import type { ListFlags } from './list.ts';
import type { RevokeFlags } from './revoke.ts';
import type { SimulateFlags } from './simulate.ts';
import type { TrustFlags } from './trust.ts';

/** Options of {@link addPermissionsCommand}. */
export interface PermissionsOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley permissions` and its subcommands. */
export function addPermissionsCommand(root: Command, { surroundings, finish }: PermissionsOptions): void {
  const permissions = root
    .command('permissions')
    .summary('rules, remembered answers and trusted files')
    .description('Shows, explains and revokes what agents may do without asking.');

  permissions
    .command('list')
    .summary('list remembered answers, trusted files and the rules that apply here')
    .description('Lists remembered answers, trusted files, and the rules that apply in a folder.')
    .option('--cwd <dir>', 'the folder (default: the current folder)')
    .option('--json', 'print one JSON document')
    .action(async (flags: ListFlags) => {
      const { listPermissions } = await import('./list.ts');
      finish(await listPermissions(flags, surroundings));
    });

  permissions
    .command('revoke')
    .summary('revoke a remembered answer, or the trust in a file')
    .description(
      'Revokes one remembered answer, the trust in one file, or all of both. Takes effect at the next permission request.',
    )
    .argument('<ID>', 'its id, as listed by "parley permissions list", or "all"')
    .option('--json', 'print JSON: {"answers": N, "trusted": N}')
    .action(async (id: string, flags: RevokeFlags) => {
      const { revokePermission } = await import('./revoke.ts');
      finish(await revokePermission(id, flags, surroundings));
    });

  permissions
    .command('explain')
    .summary('explain the decision about a command, a file or a URL')
    .description(
      'Explains whether a command, a file or a URL is allowed, asked about or denied, and which rules decide.',
    )
    .argument('<command-or-path>', 'a command (in quotes), a path, or a URL that starts with https://')
    .option('-a, --agent <name>', 'apply the rules of this agent')
    .option(
      '--kind <kind>',
      'execute, fetch, read, edit, delete, move or search (default: what the argument looks like)',
    )
    .option('--cwd <dir>', 'the folder of the session (default: the current folder)')
    .option('--config <file>', "use this configuration file instead of the user's and the project's")
    .option('--json', 'print one JSON document')
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
    .summary('list earlier requests that would be decided differently now')
    .description(
      'Applies the current rules, or those of a file, to all permission requests in the event logs, and lists the requests that ' +
        'would be decided differently.',
    )
    .option('--rules <file>', 'use these rules: a configuration file, or a list of rules')
    .option('--since <age>', 'only requests newer than this: 90m, 12h, 7d, 4w')
    .option('--json', 'print one JSON document')
    .option(...storeOption)
    .addHelpText(
      'after',
      `
Examples:
  parley permissions simulate --since 7d
  parley permissions simulate --rules stricter.json --json`,
    )
    .action(async (flags: SimulateFlags & TypedStore) => {
      const { simulatePermissions } = await import('./simulate.ts');
      finish(await inStore(flags, surroundings, (here) => simulatePermissions(flags, here)));
    });

  permissions
    .command('trust')
    .summary("trust a project's configuration, variables and setup script")
    .description(
      'Shows what three files of the project would do: the rights that .parley/config.json adds, the variables that .env sets, ' +
        'and the commands that .parley/setup runs in new worktrees. Then asks whether to trust their current content. Untrusted ' +
        'files are ignored.',
    )
    .option('--cwd <dir>', 'a folder in the project (default: the current folder)')
    .option('--yes', 'trust the files without asking')
    .option('--json', 'print JSON: {"files": [{"file", "rights": […], "trusted": true or false}]}')
    .action(async (flags: TrustFlags) => {
      const { trustProject } = await import('./trust.ts');
      finish(await trustProject(flags, surroundings));
    });
}
