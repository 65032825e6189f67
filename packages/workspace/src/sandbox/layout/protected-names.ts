/** Names that cannot be written, created, replaced or moved in a session's folder and in repositories inside it. */
export const protectedNames: readonly string[] = [
  '.parley',
  '.vscode',
  '.idea',
  // Start-up files of shells.
  ...(
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout ' +
    '.cshrc .tcshrc .login .logout .kshrc .mkshrc .xprofile .xinitrc .xsession .inputrc'
  ).split(' '),
  // Start-up files of editors.
  ...'.vimrc .gvimrc .exrc .nvimrc .nvim.lua .emacs .emacs.d .dir-locals.el'.split(' '),
  '.gitconfig',
];

/** The same for a session in the home folder. */
export const protectedHomeNames: readonly string[] = [
  '.config/fish',
  '.config/git',
  '.config/nvim',
  '.config/autostart',
  '.config/systemd',
];

/** Hidden in the home folder. */
export const hiddenHomeNames: readonly string[] = ['.ssh', '.gnupg', '.aws', '.netrc'];
