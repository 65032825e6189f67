import { expect, test, vi } from 'vitest';
import { openCheckpoints } from '../checkpoint/checkpoints.ts';
import { commitChanges } from '../commit/commit-changes.ts';
import { diffFiles } from '../diff/diff-files.ts';
import { formatPatch } from '../diff/format-patch.ts';
import { planRevert } from '../diff/plan-revert.ts';
import { withContents } from '../restore/contents.ts';
import { planRestore, type RestorePlan } from '../restore/plan.ts';
import { readDisk } from '../restore/read-disk.ts';
import { applyRestore } from '../restore/transaction/apply.ts';
import { numbered, repository } from '../worktree/repository.fixture.ts';
import { oldGitOnPath } from './old-git.fixture.ts';

test.skipIf(process.platform === 'win32')(
  'diff, undo, redo, revert and commit use no option or variable that is newer than git 2.25',
  async () => {
    await using repo = await repository();
    const { root: workspace, place } = repo;
    vi.stubEnv('PATH', await oldGitOnPath(repo.outside('bin')));
    const stateDir = place.stateFolder;
    await using checkpoints = await openCheckpoints({ workspace, stateDir });
    const contents = withContents((blob) => checkpoints.read(blob));
    const take = async (): Promise<string> => (await checkpoints.take()).id;
    const optionsFor = async (before: string, after: string) => {
      const changes = await checkpoints.compare(before, after);
      return {
        changes,
        current: await readDisk({ workspace, changes }),
        read: contents.read,
        mostReplacedBytes: checkpoints.mostIncludedBytes,
      };
    };
    const apply = async (plan: RestorePlan): Promise<readonly [before: string, after: string]> => {
      expect(plan.conflicts).toEqual([]);
      const before = await take();
      await applyRestore(plan, { workspace, stateDir });
      return [before, await take()];
    };
    const edited = numbered(9).replace('line 1\n', 'LINE 1\n');
    const withMine = (text: string): string => text.replace('line 9\n', 'mine\n');

    const before = await take();
    await repo.write('a.txt', edited);
    await repo.write('new.txt', 'new\n');
    const after = await take();
    await repo.write('a.txt', withMine(edited));

    const { changes } = await optionsFor(before, after);
    const patch = Buffer.from(await formatPatch(changes, { ...contents, workspace })).toString();
    expect(patch).toContain('+LINE 1');
    const undone = await apply(await planRestore(await optionsFor(before, after)));
    expect(await repo.read('a.txt')).toBe(withMine(numbered(9)));
    await apply(await planRestore(await optionsFor(...undone)));
    expect(await repo.read('a.txt')).toBe(withMine(edited));

    const done = await commitChanges({ workspace, changes, read: contents.read, message: 'by the session' });
    expect(done).toMatchObject({ state: 'committed', files: ['a.txt', 'new.txt'] });
    expect(await repo.git('show', 'HEAD:a.txt')).toBe(edited.trimEnd());

    const hunks = (await diffFiles(changes, contents)).flatMap((each) => each.hunks.map(({ id }) => id));
    await apply(await planRevert({ ...(await optionsFor(before, after)), ids: hunks.slice(0, 1) }));
    expect(await repo.read('a.txt')).toBe(withMine(numbered(9)));
  },
);
