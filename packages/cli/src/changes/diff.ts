import { exitStatus } from '../exit-status.ts';
import type { Surroundings } from '../surroundings.ts';
import { toCliError } from './changes-error.ts';
import { omittedTexts, unavailableText } from './changes-text.ts';
import { findChangedPaths, type ChangesFlags } from './find-changes.ts';

/** The flags of `parley changes diff`. */
export interface DiffFlags extends ChangesFlags {
  readonly turn?: number;
  readonly unreviewed?: boolean;
}

/** `parley changes diff`: a patch, or its hunks. Returns the exit status. */
export async function diffCommand(
  words: readonly string[],
  flags: DiffFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr } = surroundings;
  const { changes, paths } = await findChangedPaths(words, flags, surroundings);
  const params = {
    ...(flags.turn !== undefined && { turn: flags.turn }),
    ...(paths !== undefined && { paths }),
    ...(flags.unreviewed === true && { unreviewed: true }),
  };
  try {
    if (flags.json === true) {
      stdout.write(`${JSON.stringify(await changes.diff(params), undefined, 2)}\n`);
    } else {
      const { patch, omitted, unavailable } = await changes.patch(params);
      stdout.write(patch);
      for (const { turn, ...why } of unavailable) {
        stderr.write(`parley: not in the patch: turn ${String(turn)} ${unavailableText(why)}\n`);
      }
      for (const text of omittedTexts(omitted)) stderr.write(`parley: not in the patch, ${text}\n`);
    }
  } catch (error) {
    throw toCliError('changes diff', error);
  }
  return exitStatus.done;
}
