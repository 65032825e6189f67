import { readFileSync, statSync } from 'node:fs';

/** What a line of a password file is about. */
export interface PasswordTarget {
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
}

/**
 * The password for a connection in a file such as `~/.pgpass`, which other users cannot read:
 * https://www.postgresql.org/docs/current/libpq-pgpass.html
 */
export function passwordIn(file: string, { host, port, database, user }: PasswordTarget): string | undefined {
  const wanted = [host, port, database, user];
  for (const line of linesOf(file)) {
    if (line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    const [password] = fields.slice(wanted.length);
    const fits = wanted.every((value, index) => fields[index] === '*' || fields[index] === value);
    if (fits && password !== undefined) return password;
  }
  return undefined;
}

function linesOf(file: string): readonly string[] {
  try {
    // As libpq: a file that others can read is ignored.
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) return [];
    return readFileSync(file, 'utf8').split(/\r?\n/u);
  } catch {
    // Most users have none.
    return [];
  }
}

/** Separated by colons; a backslash makes the next character an ordinary one. */
function fieldsOf(line: string): readonly string[] {
  const fields = [''];
  for (const [, escaped, plain] of line.matchAll(/\\(.)|(.)/gsu)) {
    if (plain === ':') fields.push('');
    else fields.push(`${fields.pop() ?? ''}${escaped ?? plain ?? ''}`);
  }
  return fields;
}
