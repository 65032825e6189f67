import type { Protection } from './requested-action.ts';

/** What a protected file is, in words. */
export const protectionText: Readonly<Record<Protection, string>> = {
  git: 'git runs programs from here',
  parley: 'settings of Parley',
  environment: 'variables, and keys among them',
  'package-manager': 'settings of a package manager, and keys among them',
  editor: 'settings of an editor, which runs programs from here',
  hooks: 'hooks that git runs',
  'installed-programs': 'programs of installed packages',
  'shell-startup': 'run whenever a shell starts',
  'large-folder': 'a folder with too much in it to be looked through',
};
