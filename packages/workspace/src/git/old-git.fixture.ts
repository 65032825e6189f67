import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * Creates a `git` in a folder for PATH that behaves like version 2.25: it rejects later options and commands, and
 * ignores later variables. Everything else is passed to the installed git.
 */
export async function oldGitOnPath(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v git']);
  const options = [
    '--path-format*',
    '--end-of-options',
    '--pathspec-from-file*',
    '--deduplicate',
    '--batch-command',
    '--write-tree',
    '--merge-base*',
    '--orphan',
    '--object-id',
  ];
  const script = `#!/bin/sh
if [ "$1" = version ]; then echo git version 2.25.1; exit; fi
for argument; do case "$argument" in ${options.join('|')}) echo "error: unknown option $argument" >&2; exit 129;; esac; done
case " $* " in
*' ls-files '*' --format'* | *' ls-tree '*' --format'* | *' worktree repair '* | *' merge-tree '* | *' maintenance '*)
  echo "error: unknown: $*" >&2; exit 129;;
esac
unset GIT_CONFIG_GLOBAL GIT_CONFIG_COUNT GIT_NO_LAZY_FETCH
exec ${stdout.trim()} "$@"
`;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'git'), script, { mode: 0o755 });
  return `${folder}${path.delimiter}${process.env['PATH'] ?? ''}`;
}
