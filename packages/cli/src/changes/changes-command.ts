import { Option, type Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';
import type { CommitFlags } from './commit.ts';
import type { DiffFlags } from './diff.ts';
import type { ChangesFlags } from './find-changes.ts';
import type { RestoreFlags, UndoFlags } from './restore.ts';
import type { ReviewFlags } from './review.ts';
import { parseTurn } from './turn-flag.ts';

/** What the commands need besides their words. */
export interface ChangesCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley changes` and what it consists of. */
export function addChangesCommand(root: Command, { surroundings, finish }: ChangesCommandOptions): void {
  const changes = root
    .command('changes')
    .summary('what agents changed: list, diff, undo, redo, keep, revert, commit')
    .description(
      'What the turns of a session changed in its folder, whichever program wrote the files. SESSION is the id of a stored ' +
        'session, or an unambiguous beginning of it; without it, the last session in this folder is meant.',
    )
    .addHelpText('after', notes);

  const inFolder = (command: Command): Command =>
    command.option('--cwd <dir>', 'the folder of the session').option('--json', 'one JSON document');
  const turn = (description: string): Option => new Option('--turn <n>', description).argParser(parseTurn);

  inFolder(
    changes
      .command('list')
      .description(
        'Lists the files that each turn changed: status, lines, and whether a tool call reported it.',
      )
      .argument('[session]'),
  ).action(async (session: string | undefined, flags: ChangesFlags) => {
    const { listCommand } = await import('./list.ts');
    finish(await listCommand(session, flags, surroundings));
  });

  inFolder(
    changes
      .command('diff')
      .description('Prints what the session changed, less what was undone, as a patch for "git apply".')
      .argument('[session]')
      .argument('[path...]')
      .addOption(turn('only what this turn changed'))
      .option('--unreviewed', 'leave out hunks that were marked by "keep"'),
  ).action(async (session: string | undefined, paths: readonly string[], flags: DiffFlags) => {
    const { diffCommand } = await import('./diff.ts');
    finish(await diffCommand(words(session, paths), flags, surroundings));
  });

  inFolder(
    changes
      .command('undo')
      .description(
        'Undoes the last turn that changed something, or one turn. Later edits of the same files are merged; on a conflict ' +
          'no file is touched.',
      )
      .argument('[session]')
      .argument('[path...]')
      .addOption(turn('undo this turn, and nothing else'))
      .option('--dry-run', 'print what would happen')
      .option('--force', 'discard later edits where they conflict')
      .option('--unreported', 'also files that no tool call reported; the user may have changed them'),
  ).action(async (session: string | undefined, paths: readonly string[], flags: UndoFlags) => {
    const { undoCommand } = await import('./restore.ts');
    finish(await undoCommand(words(session, paths), flags, surroundings));
  });

  inFolder(
    changes
      .command('redo')
      .description('Takes back the last undo.')
      .argument('[session]')
      .option('--dry-run', 'print what would happen')
      .option('--force', 'discard later edits where they conflict'),
  ).action(async (session: string | undefined, flags: RestoreFlags) => {
    const { redoCommand } = await import('./restore.ts');
    finish(await redoCommand(session, flags, surroundings));
  });

  for (const [name, description] of Object.entries({
    keep: 'Marks hunks as reviewed: "diff --unreviewed" leaves them out.',
    revert: 'Takes hunks out of the files. Later edits are merged; on a conflict no file is touched.',
  })) {
    inFolder(
      changes
        .command(name)
        .description(description)
        .argument('[session]')
        .requiredOption('--hunk <id...>', 'the ids of hunks, from "diff --json"'),
    ).action(async (session: string | undefined, flags: ReviewFlags) => {
      const { keepCommand, revertCommand } = await import('./review.ts');
      finish(await (name === 'keep' ? keepCommand : revertCommand)(session, flags, surroundings));
    });
  }

  inFolder(
    changes
      .command('commit')
      .description(
        'Commits what the session changed and was not undone or reverted, and nothing else. Your index and all other edits ' +
          'stay as they are.',
      )
      .argument('[session]')
      .requiredOption('-m, --message <text>', 'the message of the commit'),
  ).action(async (session: string | undefined, flags: CommitFlags) => {
    const { commitCommand } = await import('./commit.ts');
    finish(await commitCommand(session, flags, surroundings));
  });
}

function words(session: string | undefined, paths: readonly string[]): readonly string[] {
  return session === undefined ? [] : [session, ...paths];
}

const notes = `
A word that is both a file and the beginning of an id is the file; write the whole id to mean the session.

Exit status: 0 done, 1 failed or nothing to undo, 2 wrong usage, 5 refused: a conflict, or a turn runs. No file was touched.

Examples:
  parley changes list
  parley changes diff --turn 2 src/
  parley changes undo --dry-run
  parley changes redo
  parley changes commit -m "Fix the parser"`;
