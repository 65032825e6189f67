/** Whether the system has a POSIX shell, signals, and links that any user may create. */
export const isPosix: boolean = process.platform !== 'win32';
