/** A path relative to a workspace, with `/` as the separator: text, or bytes if it is not UTF-8. */
export type WorkspacePath = string | { readonly base64: string };

/**
 * A path as git writes it, one character for each byte: what this folder works with inside, because it compares, sorts and splits
 * like text and loses no name.
 */
export type BytePath = string;

export function toWorkspacePath(path: BytePath): WorkspacePath {
  if (isAscii(path)) return path;
  const bytes = Buffer.from(path, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : { base64: bytes.toString('base64') };
}

export function toBytePath(path: WorkspacePath): BytePath {
  if (typeof path === 'string') return isAscii(path) ? path : Buffer.from(path, 'utf8').toString('latin1');
  return Buffer.from(path.base64, 'base64').toString('latin1');
}

/** The path for the system's calls, below a folder. */
export function toSystemPath(folder: string, path: BytePath): string | Buffer {
  if (isAscii(path)) return path === '' ? folder : `${folder}/${path}`;
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

function isAscii(path: string): boolean {
  return !/[^\u0000-\u007f]/u.test(path);
}
