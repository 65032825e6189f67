import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { makeToken } from '@parley/gateway';
import { CliError } from '../../cli-error.ts';
import { toFileReason } from '../../input-file.ts';

/** Size of a token file. */
const mostBytes = 4096;

/**
 * The token in the file of `--token-file`, which only its owner may read. A missing file is created, with a random token.
 */
export async function readOrMakeToken(file: string): Promise<string> {
  return (await readToken(file)) ?? (await writeToken(file)) ?? (await readToken(file)) ?? gone(file);
}

async function readToken(file: string): Promise<string | undefined> {
  try {
    // What is looked at and what is read are the same file. A pipe would have us wait for who writes to it.
    await using handle = await open(file, constants.O_RDONLY | noFollow | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (!stats.isFile()) throw refused(file, 'is not a regular file; name a file');
    if (process.getuid !== undefined) {
      if (stats.uid !== process.getuid()) {
        throw refused(file, 'belongs to another user; name a file of your own');
      }
      if ((stats.mode & 0o077) !== 0) {
        const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
        throw refused(file, `other users have access (mode ${mode}); run "chmod 600" on it`);
      }
    }
    if (stats.size > mostBytes) throw refused(file, 'is too large for a token on one line');
    return (await handle.readFile('utf8')).replace(/\r?\n$/u, '');
  } catch (error) {
    if (error instanceof CliError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return undefined;
    const reason = code === 'ELOOP' ? 'is a link; name the file itself' : toFileReason(error);
    throw refused(file, reason, error);
  }
}

/** Undefined where another has made the file meanwhile. */
async function writeToken(file: string): Promise<string | undefined> {
  try {
    await using handle = await open(file, 'wx', 0o600);
    const token = makeToken();
    await handle.writeFile(`${token}\n`);
    await handle.sync();
    return token;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw refused(file, `cannot be created: ${toFileReason(error)}`, error);
  }
}

/** Windows has no such flag. */
const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;

function gone(file: string): never {
  throw refused(file, 'another program creates and removes it; choose another file');
}

function refused(file: string, reason: string, cause?: unknown): CliError {
  return new CliError('usage', `--token-file ${file}: ${reason}`, { cause });
}
