import { type GitOptions, fromRecords, runGit, toRecords } from '../git/run-git.ts';

/** Entries of the user's index that were as `HEAD` had them become the committed ones. */
export async function followInIndex(
  { before, after }: { readonly before: string; readonly after: string },
  git: GitOptions,
): Promise<void> {
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
