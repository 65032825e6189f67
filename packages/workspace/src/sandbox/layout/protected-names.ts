/** Names that cannot be written, created, replaced or moved in a session's folder and in repositories inside it. */
export const protectedNames: readonly string[] = [
  '.parley',
  '.vscode',
  '.idea',
  '.zed',
  '.helix',
  '.vim',
  // Start-up files of shells.
  ...(
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout ' +
    '.cshrc .tcshrc .login .logout .kshrc .mkshrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment .inputrc'
  ).split(' '),
  // Start-up files of editors.
  ...'.vimrc .gvimrc .exrc .nvimrc .nvim.lua .emacs .emacs.d .dir-locals.el .dir-locals-2.el .ideavimrc'.split(
    ' ',
  ),
  '.gitconfig',
];

/** The same for a session in the home folder. */
export const protectedHomeNames: readonly string[] = [
  '.config/fish',
  '.config/git',
  '.config/nvim',
  '.config/vim',
  '.config/emacs',
  '.config/helix',
  '.config/environment.d',
  '.config/autostart',
  '.config/systemd',
];

/** Hidden in the home folder. */
export const hiddenHomeNames: readonly string[] = ['.ssh', '.gnupg', '.aws', '.netrc'];
