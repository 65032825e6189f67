/** Why a file is protected: changing it runs code, changes rights or reveals keys. */
export type Protection =
  /** `.git`: its hooks and configuration run programs. */
  | 'git'
  /** `.parley`: Parley's settings and rules. */
  | 'parley'
  /** `.env`, `.envrc` and the like: variables, including keys. */
  | 'environment'
  /** `.npmrc` and the like: keys, and the registries of packages. */
  | 'package-manager'
  /** `.vscode`, `.idea`: tasks that an editor runs. */
  | 'editor'
  /** `.husky`. */
  | 'hooks'
  /** `node_modules/.bin`. */
  | 'installed-programs'
  /** `.bashrc`, `.profile` and the like. */
  | 'shell-startup'
  /** A folder with too many entries to check for such files. */
  | 'large-folder';

/** Returns the display text for a protection. */
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
