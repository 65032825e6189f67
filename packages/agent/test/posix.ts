/** Whether there is a POSIX shell, its signals, and links that any user may make. */
export const isPosix: boolean = process.platform !== 'win32';
