import { Option, type Command } from 'commander';
import { parseCount } from '../flag-values.ts';
import { withDatabase } from '../store/open-database.ts';
import type { Surroundings } from '../surroundings.ts';
import type { CommitFlags } from './commit.ts';
import type { DiffFlags } from './diff.ts';
import type { ChangesFlags } from './find-changes.ts';
import type { RestoreFlags, UndoFlags } from './restore.ts';
import type { ReviewFlags } from './review.ts';

/** Options of {@link addChangesCommand}. */
export interface ChangesCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Where the sessions are stored, as typed. */
interface TypedStore {
  readonly store?: string;
}

/** Adds `parley changes` and its subcommands. */
export function addChangesCommand(root: Command, { surroundings, finish }: ChangesCommandOptions): void {
  const changes = root
    .command('changes')
    .summary('changes that sessions made to files: list, diff, undo, redo, keep, revert, commit')
    .description(
      'Shows, undoes and commits the changes that a session made to the files in its folder. SESSION is the id of a session or ' +
        'the start of it (default: the last session in this folder).',
    )
    .addHelpText('after', notes);

  const inFolder = (command: Command): Command =>
    command
      .option('--cwd <dir>', 'the folder of the session (default: the current folder)')
      .option(
        '--store <url>',
        'a session in this database instead of one of this machine (default: PARLEY_STORE)',
      )
      .option('--json', 'print one JSON document');
  const inStore = async (
    { store }: TypedStore,
    run: (here: Surroundings) => Promise<number>,
  ): Promise<void> => {
    finish(
      await withDatabase(store, surroundings, (database) =>
        run(database === undefined ? surroundings : { ...surroundings, sessions: database }),
      ),
    );
  };
  const turn = (description: string): Option =>
    new Option('--turn <n>', description).argParser((typed: string) => parseCount('--turn', typed));

  inFolder(
    changes
      .command('list')
      .description(
        'Lists the files that each turn changed: status, changed lines, and whether a tool call reported the change.',
      )
      .argument('[SESSION]'),
  ).action(async (session: string | undefined, flags: ChangesFlags & TypedStore) => {
    const { listCommand } = await import('./list.ts');
    await inStore(flags, (here) => listCommand(session, flags, here));
  });

  inFolder(
    changes
      .command('diff')
      .description(
        'Prints the changes of the session as a patch for "git apply". Undone changes are left out.',
      )
      .argument('[SESSION]')
      .argument('[PATH...]')
      .addOption(turn('only what this turn changed'))
      .option('--unreviewed', 'leave out hunks that "keep" marked as reviewed'),
  ).action(async (session: string | undefined, paths: readonly string[], flags: DiffFlags & TypedStore) => {
    const { diffCommand } = await import('./diff.ts');
    await inStore(flags, (here) => diffCommand(words(session, paths), flags, here));
  });

  inFolder(
    changes
      .command('undo')
      .description(
        'Undoes the last turn that changed files. Later edits to the same files are preserved by a merge; on a conflict, no ' +
          'file changes.',
      )
      .argument('[SESSION]')
      .argument('[PATH...]')
      .addOption(turn('undo only this turn'))
      .option('--dry-run', 'print what would change, and change nothing')
      .option('--force', 'discard later edits where they conflict')
      .option('--unreported', 'include files that no tool call reported; you may have edited them yourself'),
  ).action(async (session: string | undefined, paths: readonly string[], flags: UndoFlags & TypedStore) => {
    const { undoCommand } = await import('./restore.ts');
    await inStore(flags, (here) => undoCommand(words(session, paths), flags, here));
  });

  inFolder(
    changes
      .command('redo')
      .description('Restores what the last undo removed. Repeat it for earlier undos.')
      .argument('[SESSION]')
      .option('--dry-run', 'print what would change, and change nothing')
      .option('--force', 'discard later edits where they conflict'),
  ).action(async (session: string | undefined, flags: RestoreFlags & TypedStore) => {
    const { redoCommand } = await import('./restore.ts');
    await inStore(flags, (here) => redoCommand(session, flags, here));
  });

  for (const [name, description] of Object.entries({
    keep: 'Marks hunks as reviewed. "diff --unreviewed" leaves them out; the files do not change.',
    revert: 'Reverts single hunks. Later edits are preserved by a merge; on a conflict, no file changes.',
  })) {
    inFolder(
      changes
        .command(name)
        .description(description)
        .argument('[SESSION]')
        .requiredOption('--hunk <id...>', 'ids of hunks, as printed by "diff --json" (repeatable)'),
    ).action(async (session: string | undefined, flags: ReviewFlags & TypedStore) => {
      const { keepCommand, revertCommand } = await import('./review.ts');
      const command = name === 'keep' ? keepCommand : revertCommand;
      await inStore(flags, (here) => command(session, flags, here));
    });
  }

  inFolder(
    changes
      .command('commit')
      .description(
        "Commits the session's changes, without those that were undone or reverted. Your own edits and your index stay " +
          'as they are.',
      )
      .argument('[SESSION]')
      .requiredOption('-m, --message <text>', 'the commit message'),
  ).action(async (session: string | undefined, flags: CommitFlags & TypedStore) => {
    const { commitCommand } = await import('./commit.ts');
    await inStore(flags, (here) => commitCommand(session, flags, here));
  });
}

function words(session: string | undefined, paths: readonly string[]): readonly string[] {
  return session === undefined ? [] : [session, ...paths];
}

const notes = `
If an argument is both a file and the start of an id, it means the file. Write
the complete id to select the session.

Examples:
  parley changes list
  parley changes diff --turn 2 src/
  parley changes undo --dry-run
  parley changes redo
  parley changes commit -m "Fix the parser"

Exit status: 0 done, 1 failed or nothing to undo, 2 wrong usage, 5 a conflict, or
a turn is running in the folder; no file was changed.`;
