import { exitStatus } from '../exit-status.ts';
import { createStyle } from '../output/style.ts';
import type { Surroundings } from '../surroundings.ts';
import { toCliError } from './changes-error.ts';
import { turnText } from './changes-text.ts';
import { findChanges, type ChangesFlags } from './find-changes.ts';

/** `parley changes list`. Returns the exit status. */
export async function listCommand(
  session: string | undefined,
  flags: ChangesFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  const { changes } = await findChanges(session, flags, surroundings);
  const list = await changes.list().catch((error: unknown) => {
    throw toCliError('changes list', error);
  });
  if (flags.json === true) {
    const turns = list.turns.map(({ startedAt, endedAt, ...turn }) => ({
      ...turn,
      startedAt: new Date(startedAt).toISOString(),
      endedAt: new Date(endedAt).toISOString(),
    }));
    stdout.write(`${JSON.stringify({ ...list, turns }, undefined, 2)}\n`);
    return exitStatus.done;
  }
  const style = createStyle(stdout.isTTY === true, env);
  if (list.turns.length === 0) stderr.write('parley: no turn of this session changed a file\n');
  for (const turn of list.turns) stdout.write(turnText(turn, style));
  return exitStatus.done;
}
