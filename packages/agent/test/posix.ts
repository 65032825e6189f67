/** Whether there is a POSIX shell, its signals, and links anybody may make. */
export const isPosix: boolean = process.platform !== 'win32';
