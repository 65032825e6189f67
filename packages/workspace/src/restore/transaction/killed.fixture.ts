import { planRestore } from '../plan.ts';
import { readDisk } from '../read-disk.ts';
import { type Tree, changesBetween, file, link, tree } from '../tree.fixture.ts';
import { applyStepwise } from './apply.ts';

/** A turn with every kind of change, and later edits by the user. */
export const killedTurn: Readonly<Record<'before' | 'after', Tree>> = {
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

/** Undoes the turn; kills itself at a step, counted from 0. With a name, that step fails first, and is taken back. */
const [, , workspace, stateDir, killAt, failAt] = process.argv;
if (workspace !== undefined && stateDir !== undefined && killAt !== undefined) {
  const { changes, read } = changesBetween(killedTurn.before, killedTurn.after);
  const plan = await planRestore({ changes, read, current: await readDisk({ workspace, changes }) });
  let count = 0;
  await applyStepwise(plan, { workspace, stateDir, note: { turn: 7 } }, (step) => {
    if (count === Number(killAt)) process.kill(process.pid, 'SIGKILL');
    count += 1;
    if (step === failAt) throw new Error('it fails here');
  });
}
