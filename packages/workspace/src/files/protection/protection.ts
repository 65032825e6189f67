import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isBelow } from '../confinement/roots.ts';
import type { Protection } from './protection-text.ts';

/**
 * Returns the protection of a path, by its names below its root, in any spelling that a file system treats as the
 * same. Does not access the disk; check the target of a link separately.
 */
export function protectionOf(file: string, roots: readonly string[]): Protection | undefined {
  const names = namesBelow(file, roots).map(foldName);
  for (const [index, name] of names.entries()) {
    const known = protectedNames.get(name) ?? byBeginning(name);
    if (known !== undefined) return known;
    if (name === '.bin' && names[index - 1] === 'node_modules') return 'installed-programs';
    if (name === 'fish' && names[index - 1] === '.config') return 'shell-startup';
  }
  return undefined;
}

/** The first protected path in a folder, at any depth; undefined if it is not a folder. Links are not followed. */
export async function protectionBelow(folder: string): Promise<Protection | undefined> {
  const waiting = [folder];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    seen += entries.length;
    if (seen > mostEntries) return 'large-folder';
    for (const entry of entries) {
      const found = protectionOf(path.join(next, entry.name), [path.dirname(folder)]);
      if (found !== undefined) return found;
      if (entry.isDirectory()) waiting.push(path.join(next, entry.name));
    }
  }
  return undefined;
}

/** Whether reading such a file may reveal a key. */
export function holdsKeys(protection: Protection): boolean {
  return protection === 'environment' || protection === 'package-manager';
}

/** Entries of a folder that are checked. */
const mostEntries = 20_000;

const protectedNames: ReadonlyMap<string, Protection> = new Map<string, Protection>([
  ['.git', 'git'],
  // What Windows calls the same folder where long names have short ones.
  ['git~1', 'git'],
  ['.gitconfig', 'git'],
  ['.parley', 'parley'],
  ['.npmrc', 'package-manager'],
  ['.yarnrc', 'package-manager'],
  ['.yarnrc.yml', 'package-manager'],
  ['.pnpmfile.cjs', 'package-manager'],
  ['.vscode', 'editor'],
  ['.idea', 'editor'],
  ['.husky', 'hooks'],
  ...(
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout ' +
    '.cshrc .tcshrc .login .logout .kshrc .mkshrc .xprofile .xinitrc .xsession .inputrc ' +
    'microsoft.powershell_profile.ps1'
  )
    .split(' ')
    .map((name): [string, Protection] => [name, 'shell-startup']),
]);

function byBeginning(name: string): Protection | undefined {
  return name.startsWith('.env') ? 'environment' : undefined;
}

/** The names of a path below the deepest root that contains it, else all of them. */
function namesBelow(file: string, roots: readonly string[]): readonly string[] {
  const root = roots
    .filter((each) => isBelow(each, file))
    .reduce((deepest, each) => (each.length > deepest.length ? each : deepest), '');
  return file
    .slice(root.length)
    .split(/[\\/]/u)
    .filter((name) => name !== '');
}

/**
 * Normalizes a name like the most lenient file system: without case, characters that HFS+ ignores, and endings that
 * Windows drops (dots, spaces, the name of a stream).
 */
function foldName(name: string): string {
  const visible = name
    .normalize('NFKC')
    .replaceAll(/[\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu, '');
  return visible
    .replace(/(?<=.):.*$/u, '')
    .replace(/(?<=[^. ])[. ]+$/u, '')
    .toLowerCase();
}
