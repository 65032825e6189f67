import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openCheckpoints } from '@parley/workspace/checkpoint';

/** Checkpoints of a repository, beside what git needs on the same tree; prints medians of interleaved rounds. The tree is made once. */
const [, , folder = '', count = '0', perFolder = '1', rounds = '0'] = process.argv;
const workspace = join(folder, `workspace-${count}`);
const stateDir = join(folder, 'state');

async function git(...args: readonly string[]): Promise<void> {
  await promisify(execFile)('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
    cwd: workspace,
    maxBuffer: 64 * 1024 * 1024,
  });
}

async function milliseconds(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function makeTree(): Promise<void> {
  for (let index = 0; index < Number(count); index++) {
    const number = Math.floor(index / Number(perFolder));
    const parent = join(workspace, `group-${number % 30}`, `folder-${number}`);
    if (index % Number(perFolder) === 0) await mkdir(parent, { recursive: true });
    await writeFile(join(parent, `file-${index}.txt`), `file ${index}\n`.repeat(20));
  }
  await git('init', '-q');
  await git('add', '.');
  await git('commit', '-qm', 'bench');
}

try {
  if (!existsSync(workspace)) await makeTree();
  await using checkpoints = await openCheckpoints({ workspace, stateDir });
  const firstMs = await milliseconds(() => checkpoints.take());
  const samples = { take: new Array<number>(), status: new Array<number>(), stash: new Array<number>() };
  const changed: number[] = [];
  for (let round = 0; round < Number(rounds); round++) {
    samples.take.push(await milliseconds(() => checkpoints.take()));
    samples.status.push(await milliseconds(() => git('status', '--porcelain')));
    samples.stash.push(await milliseconds(() => git('stash', 'create')));
  }
  for (let round = 0; round < Number(rounds); round++) {
    await writeFile(join(workspace, 'changed.txt'), `round ${round}`);
    changed.push(await milliseconds(() => checkpoints.take()));
  }
  const [takeMs, statusMs, stashMs] = [median(samples.take), median(samples.status), median(samples.stash)];
  console.log(
    JSON.stringify({
      firstMs,
      takeMs,
      statusMs,
      stashMs,
      changedMs: median(changed),
      ratio: takeMs / statusMs,
    }),
  );
} finally {
  await rm(stateDir, { recursive: true, force: true });
}
