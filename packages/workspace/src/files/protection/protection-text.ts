/** Why a file is protected: a change of it runs code, changes rights or reveals keys. */
export type Protection =
  /** `.git`: its hooks and configuration run programs. */
  | 'git'
  /** `.parley`: settings and rules of Parley. */
  | 'parley'
  /** `.env`, `.envrc` and the like: variables, and keys among them. */
  | 'environment'
  /** `.npmrc` and the like: keys, and where packages come from. */
  | 'package-manager'
  /** `.vscode`, `.idea`: tasks that an editor runs. */
  | 'editor'
  /** `.husky`. */
  | 'hooks'
  /** `node_modules/.bin`. */
  | 'installed-programs'
  /** `.bashrc`, `.profile` and the like. */
  | 'shell-startup'
  /** A folder with more in it than is looked through for such files. */
  | 'large-folder';

/** What a protected file is, in words. */
export function protectionText(protection: Protection): string {
  return texts[protection];
}

const texts: Readonly<Record<Protection, string>> = {
  git: 'git runs programs from here',
  parley: 'settings of Parley',
  environment: 'variables, and keys among them',
  'package-manager': 'settings of a package manager, and keys among them',
  editor: 'settings of an editor, which runs programs from here',
  hooks: 'hooks that git runs',
  'installed-programs': 'programs of installed packages',
  'shell-startup': 'run whenever a shell starts',
  'large-folder': 'a folder with too much in it to be looked through for protected files',
};
