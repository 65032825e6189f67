import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { EscapeAttempt, EscapeTarget } from './escape-target.ts';

/** Changes in the workspace, which the mode `workspace` allows. */
export const readOnlyAttempts: Readonly<Record<string, EscapeAttempt>> = {
  'a file is created': (target) => does(() => fs.writeFileSync(at(target, 'created'), '')),
  'a file is changed': (target) => does(() => fs.appendFileSync(at(target, 'plain.txt'), 'more')),
  'a file is truncated': (target) => does(() => fs.truncateSync(at(target, 'plain.txt'), 0)),
  'a file is replaced': (target) => {
    fs.writeFileSync(path.join(process.env['TMPDIR'] ?? '', 'replacement'), 'other');
    return does(() =>
      fs.copyFileSync(path.join(process.env['TMPDIR'] ?? '', 'replacement'), at(target, 'plain.txt')),
    );
  },
  'a file is renamed': (target) =>
    does(() => fs.renameSync(at(target, 'renamable.txt'), at(target, 'renamed.txt'))),
  'a file is removed': (target) => does(() => fs.unlinkSync(at(target, 'removable.txt'))),
  'a folder is created': (target) => does(() => fs.mkdirSync(at(target, 'folder'))),
  'a folder is removed': (target) => does(() => fs.rmdirSync(at(target, 'empty'))),
  'a symbolic link is created': (target) => does(() => fs.symlinkSync('plain.txt', at(target, 'symbolic'))),
  'a hard link is created': (target) => does(() => fs.linkSync(at(target, 'plain.txt'), at(target, 'hard'))),
  'the mode of a file is changed': (target) => does(() => fs.chmodSync(at(target, 'plain.txt'), 0o600)),
  'the times of a file are changed': (target) => does(() => fs.utimesSync(at(target, 'plain.txt'), 1, 1)),
  'a file is created through /proc/self/cwd': () =>
    does(() => fs.writeFileSync('/proc/self/cwd/through-cwd', '')),
  'a file is created through /proc/self/root': (target) =>
    does(() => fs.writeFileSync(`/proc/self/root${at(target, 'through-root')}`, '')),
  'a descriptor for reading is opened again for writing': (target) => {
    const descriptor = fs.openSync(at(target, 'plain.txt'), 'r');
    return does(() => fs.closeSync(fs.openSync(`/proc/self/fd/${String(descriptor)}`, 'r+')));
  },
  'another program creates a file': (target) => {
    execFileSync('touch', [at(target, 'by-touch')], { stdio: 'ignore' });
    return true;
  },
  'a commit is made': ({ workspace }) => {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    execFileSync('git', ['-C', workspace, ...identity, 'commit', '--quiet', '--allow-empty', '-m', 'x'], {
      stdio: 'ignore',
    });
    return true;
  },
};

function at({ workspace }: EscapeTarget, name: string): string {
  return path.join(workspace, name);
}

/** What is refused throws. */
function does(act: () => void): boolean {
  act();
  return true;
}
