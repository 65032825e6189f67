import type { ClientPeer } from '@parley/acp/unstable';
import { AgentError } from '../agent-error.ts';
import { errorCode } from '../error-code.ts';
import type { ChangeOptions, Files, OldText, ReadText, ReadTextOptions } from '../files.ts';
import type { Workplace } from '../tools/tool.ts';
import { isNotFound, isVague, toClientFailure } from './client-failure.ts';
import { toClientPath } from './client-path.ts';
import { lineWindow } from './line-window.ts';

/** The client of one turn, as far as its files go. */
interface FilesClient {
  readonly sessionId: string;
  /** The client on behalf of the prompt, so that cancelling it withdraws its requests. */
  readonly client: ClientPeer;
  readonly signal: AbortSignal;
}

/**
 * File access of a session that reads and writes texts through the client, as far as the client declared it: an
 * editor may have unsaved changes. The client is only asked about paths inside the session's folders, after following
 * links; its refusals apply.
 */
export function createClientFiles(workplace: Workplace, { sessionId, client, signal }: FilesClient): Files {
  const { files, limits } = workplace;
  const { readTextFile: canRead = false, writeTextFile: canWrite = false } = client.capabilities.fs ?? {};
  if (!canRead && !canWrite) return files;

  const readText = async (path: string, options: ReadTextOptions = {}): Promise<ReadText> => {
    if (!canRead || options.fromDisk === true) return files.readText(path, options);
    const { line = 1, limit, maxBytes = limits.fileBytes } = options;
    const real = await files.resolve(path);
    signal.throwIfAborted();
    // From the first line on, and one more than is wanted: so nothing is taken for what it is not, whether or not the
    // client minds `limit`, and it shows whether more follows.
    const askedLines = limit === undefined || line + limit > mostLines ? undefined : line + limit;
    const action = `read ${JSON.stringify(path)}`;
    const content = await client
      .request(
        'fs/read_text_file',
        {
          sessionId,
          path: toClientPath(real, workplace),
          ...(askedLines !== undefined && { limit: askedLines }),
        },
        { signal },
      )
      .then(
        (response) => response.content,
        async (error: unknown) => {
          if (isNotFound(error) || (isVague(error) && !(await isOnDisk(files, real, signal)))) {
            throw new AgentError('not-found', `${action}: the client has no such file`, { cause: error });
          }
          throw toClientFailure(action, error);
        },
      );
    const { text, lines } = lineWindow(content, { line, ...(limit !== undefined && { limit }) });
    if (text.includes('\0')) throw new AgentError('binary', `${action}: not a text file`);
    if (isLonger(text, maxBytes)) {
      throw new AgentError('too-large', `${action}: more than ${String(maxBytes)} bytes of text`);
    }
    return { path: real, text, lines, ...(lines === askedLines && { hasMore: true }) };
  };

  const readOldText = async (path: string): Promise<OldText> => {
    try {
      return { oldText: (await readText(path)).text };
    } catch (error) {
      const code = errorCode(error);
      if (code === 'not-found') return { oldText: null };
      if (code === 'binary' || code === 'too-large') return { oldText: null, oldTextOmitted: code };
      throw error;
    }
  };

  const writeText = async (path: string, text: string, options: ChangeOptions = {}): Promise<OldText> => {
    const real = await files.resolve(path);
    const old = await readOldText(path);
    signal.throwIfAborted();
    if (!canWrite) {
      await files.writeText(path, text, options);
      return old;
    }
    const { seen } = options;
    if (seen !== undefined && seen.path !== real) {
      throw new AgentError(
        'changed',
        `write ${JSON.stringify(path)}: the path now leads to a different file than displayed`,
      );
    }
    try {
      const clientPath = toClientPath(real, workplace);
      await client.request('fs/write_text_file', { sessionId, path: clientPath, content: text }, { signal });
      return old;
    } catch (error) {
      throw toClientFailure(`write ${JSON.stringify(path)}`, error);
    }
  };

  return { ...files, readText, writeText };
}

/** Largest value of the protocol's `limit`. */
const mostLines = 2 ** 32 - 1;

async function isOnDisk(files: Files, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await files.readText(path, { limit: 0, signal });
    return true;
  } catch (error) {
    return errorCode(error) !== 'not-found';
  }
}

/** Whether a text has more bytes of UTF-8 than that. */
function isLonger(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes);
}
