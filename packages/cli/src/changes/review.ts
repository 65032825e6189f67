import type { HunksResult } from '@parley/host/hub';
import { exitStatus } from '../exit-status.ts';
import type { Surroundings } from '../surroundings.ts';
import { toCliError } from './changes-error.ts';
import { announce, findChanges, type ChangesFlags, type FoundChanges } from './find-changes.ts';
import { countText, pathText } from './path-text.ts';
import { conflictLines } from './restore-text.ts';

/** The flags of `parley changes keep` and `revert`. */
export interface ReviewFlags extends ChangesFlags {
  readonly hunk: readonly string[];
}

/** `parley changes keep`: marks hunks as reviewed. Returns the exit status. */
export async function keepCommand(
  session: string | undefined,
  flags: ReviewFlags,
  surroundings: Surroundings,
): Promise<number> {
  const found = await findChanges(session, flags, surroundings);
  return review('keep', flags, { found, surroundings }, () =>
    found.changes.keep({ hunks: unique(flags.hunk) }),
  );
}

/** `parley changes revert`: takes hunks out of the files. Returns the exit status. */
export async function revertCommand(
  session: string | undefined,
  flags: ReviewFlags,
  surroundings: Surroundings,
): Promise<number> {
  const found = await findChanges(session, flags, surroundings);
  return review('revert', flags, { found, surroundings }, () =>
    found.changes.revert({ hunks: unique(flags.hunk) }),
  );
}

async function review(
  what: 'keep' | 'revert',
  flags: ReviewFlags,
  { found, surroundings }: { readonly found: FoundChanges; readonly surroundings: Surroundings },
  work: () => Promise<HunksResult>,
): Promise<number> {
  const { stdout, stderr } = surroundings;
  const result = await work().catch((error: unknown) => {
    throw toCliError(`changes ${what}`, error);
  });
  await announce(found, surroundings);
  const { files, conflicts } = result;
  if (flags.json === true) stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  if (conflicts.length > 0) {
    for (const line of conflictLines(what, conflicts)) stderr.write(`parley: ${line}\n`);
    return exitStatus.refused;
  }
  if (flags.json !== true) {
    const done = what === 'keep' ? 'Marked as reviewed' : 'Reverted';
    const hunks = countText(unique(flags.hunk).length, 'hunk');
    stdout.write(`${done}: ${hunks} in ${files.map(({ path }) => pathText(path)).join(', ')}\n`);
  }
  return exitStatus.done;
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
