import { setTimeout } from 'node:timers/promises';
import { WorkspaceError } from '../error.ts';
import { type GitOptions, fromRecords, runGit, toRecords } from '../git/run-git.ts';
import { repositoryOf, type WorkingTree } from '../worktree/checkout.ts';

/** The trees of `HEAD` around a commit. */
interface CommittedTrees {
  readonly before: string;
  readonly after: string;
}

/** Entries of the user's index that were as `HEAD` had them become the committed ones, once no other git command has it. */
export async function followInIndex(trees: CommittedTrees, checkout: WorkingTree): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await follow(trees, repositoryOf(checkout));
    } catch (error) {
      const isLocked = error instanceof WorkspaceError && error.message.includes('index.lock');
      if (!isLocked) throw error;
      if (tries === indexTries) {
        const message = `commit in ${JSON.stringify(checkout.root)}: the commit was made, but index.lock is still there: run git reset when the other git command has ended`;
        throw new WorkspaceError('in-use', message, { path: checkout.root, cause: error });
      }
      await setTimeout(indexRetryMs);
    }
  }
}

/** Attempts to use the user's index while another git command has locked it. */
const indexTries = 100;
/** Delay between these attempts. */
const indexRetryMs = 100;

async function follow({ before, after }: CommittedTrees, git: GitOptions): Promise<void> {
  const { stdout: staged } = await runGit(['ls-files', '-s', '-z'], git);
  const entries = new Map(
    toRecords(staged).map((record) => {
      const [mode = '', id = ''] = record.split(' ', 2);
      return [record.slice(record.indexOf('\t') + 1), `${mode} ${id}`] as const;
    }),
  );
  const { stdout } = await runGit(['diff-tree', '-r', '-z', '--no-renames', before, after], git);
  const records = toRecords(stdout);
  const changes: string[] = [];
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [oldMode = '', mode = '', oldId = '', id = ''] = (records[at] ?? '').slice(1).split(' ');
    const file = records[at + 1] ?? '';
    const wasAbsent = /^0+$/u.test(oldMode);
    const isAsHead = entries.get(file) === (wasAbsent ? undefined : `${oldMode} ${oldId}`);
    if (isAsHead) changes.push(`${/^0+$/u.test(mode) ? '0' : mode} ${id}\t${file}`);
  }
  await runGit(['update-index', '-z', '--index-info'], { ...git, input: fromRecords(changes) });
}
