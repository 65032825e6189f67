/** Texts that every page uses. */
export const parts = {
  copied: 'Copied',
  copyFailed: 'Could not copy: the browser does not allow it',
  close: 'Close',
};
