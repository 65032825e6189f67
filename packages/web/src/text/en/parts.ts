/** What is used everywhere. */
export const parts = {
  copied: 'Copied',
  copyFailed: 'Not copied: the browser does not allow it',
  close: 'Close',
};
