import { planRestore } from '../plan.ts';
import { readDisk } from '../read-disk.ts';
import { type Tree, changesBetween, file, link, tree } from '../tree.fixture.ts';
import { applyStepwise } from './apply.ts';

/** A workspace before and after a turn. */
export type KilledTurn = Readonly<Record<'before' | 'after', Tree>>;

/** A turn with every kind of change. */
const everyKind: KilledTurn = {
  before: tree({
    'd/x': file('x', 0o600),
    'd/y': link('x'),
    content: file('one\n'),
    rights: file('same', 0o755),
    swap: link('content'),
    was: file('a file'),
  }),
  after: tree({
    d: file('a file now'),
    content: file('two\n'),
    made: file('new'),
    rights: file('same', 0o644),
    swap: file('not a link'),
    'was/folder': file('z'),
  }),
};

const numbers = Array.from({ length: 40 }, (_, index) => String(index));

/** A turn with more files than are restored at once. */
const manyFiles: KilledTurn = {
  before: tree(
    Object.fromEntries(
      numbers.flatMap((each) => [
        [`edited/${each}`, file(each)],
        [`gone/${each}`, file(each)],
      ]),
    ),
  ),
  after: tree(
    Object.fromEntries(
      numbers.flatMap((each) => [
        [`edited/${each}`, file(`${each} by the agent`)],
        [`made/${each}`, file(each)],
      ]),
    ),
  ),
};

/** The turns that are undone, by name. */
export const killedTurns = { everyKind, manyFiles } as const;

/** Undoes a turn; kills itself at a step, counted from 0. With a name, that step fails first, and is taken back. */
const [, , turnName, workspace, stateDir, killAt, failAt] = process.argv;
if (workspace !== undefined && stateDir !== undefined && killAt !== undefined) {
  const turn = turnName === 'manyFiles' ? manyFiles : everyKind;
  const { changes, read } = changesBetween(turn.before, turn.after);
  const plan = await planRestore({ changes, read, current: await readDisk({ workspace, changes }) });
  let count = 0;
  const reached = (step: string): void => {
    if (count === Number(killAt)) process.kill(process.pid, 'SIGKILL');
    count += 1;
    if (step === failAt) throw new Error('it fails here');
  };
  await applyStepwise(
    plan,
    { workspace, stateDir, note: { turn: 7 } },
    // One after another, each step is killed at with those before it done.
    { reached, ...(turn === everyKind && { atOnce: 1 }) },
  );
}
