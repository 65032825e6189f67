/** Whether a path is absolute on POSIX (`/a`), or on Windows (`C:\a`, `C:/a`, `\\server\share`). */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') || path.startsWith('\\\\') || drive.test(path);
}

const drive = /^[A-Za-z]:[\\/]/;
