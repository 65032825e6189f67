import path from 'node:path';
import { runGit } from '../../git/run-git.ts';
import type { FoundRepository } from './find-repositories.ts';

/** Files and folders, besides its own, from which the settings of a repository run programs. */
export interface GitSettingPaths {
  /** The folder of `core.hooksPath`, if it is set. */
  readonly hooks?: string;
  /** Files with settings, also those that are included only sometimes, or that do not exist yet. */
  readonly files: readonly string[];
}

/** Asks git for the settings of a repository, the user's own among them. Nothing is known without git. */
export async function gitSettingPaths(repository: FoundRepository): Promise<GitSettingPaths> {
  const { root, gitDir } = repository;
  const result = await runGit([`--git-dir=${gitDir}`, 'config', '--list', '--show-origin', '-z'], {
    cwd: root,
  }).catch(() => undefined);
  const fields = result?.stdout.toString('utf8').split('\0') ?? [];
  const files = new Set<string>();
  let hooks: string | undefined;
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [origin = '', setting = ''] = fields.slice(index, index + 2);
    if (!origin.startsWith('file:')) continue;
    const file = path.resolve(root, origin.slice('file:'.length));
    files.add(file);
    const [, name = '', value = ''] = /^([^\n]*)\n(.*)$/su.exec(setting) ?? [];
    if (name === 'core.hookspath') hooks = expand(value, root);
    if (/^include(?:if\..*)?\.path$/su.test(name)) files.add(expand(value, path.dirname(file)));
  }
  return { files: [...files], ...(hooks !== undefined && { hooks }) };
}

function expand(value: string, folder: string): string {
  const isOfHome = value.startsWith('~/');
  return isOfHome ? path.join(process.env['HOME'] ?? '/', value.slice(2)) : path.resolve(folder, value);
}
