import { toWorkspaceError } from '../error.ts';
import { type HeldFolder, holdFolder } from './confinement/held-folder.ts';
import { locate, pathOf } from './confinement/locate.ts';
import { type FileRequest, createRequest } from './confinement/request.ts';
import { type Roots, openRoots } from './confinement/roots.ts';
import { type SeenFile, seeEntry, seeFile } from './file-mark.ts';
import { type ListResult, defaultListEntries, listDirectory } from './list-directory.ts';
import { type MoveResult, move } from './move.ts';
import { type ReadBytesOptions, type ReadBytesResult, readBase64 } from './read-bytes.ts';
import { type ReadOptions, type ReadResult, readText } from './read-text.ts';
import { type RemoveResult, remove } from './remove.ts';
import { type GlobOptions, type GlobResult, glob } from './search/glob.ts';
import { type SearchOptions, type SearchResult, search } from './search/search.ts';
import { type ChangeOptions, type WriteResult, writeText } from './write-text.ts';

/**
 * The files of a session. Paths are absolute or relative to `cwd`; `..` is resolved before links are followed. A path outside the directories, including one that leads
 * outside through links, is rejected with `outside`.
 */
export interface Files {
  /** The real path that relative paths start from. */
  readonly cwd: string;
  /** The real paths of the session's directories, `cwd` first. */
  readonly directories: readonly string[];
  /** Resolves the links of a path, which need not exist. */
  resolve(path: string): Promise<string>;
  /** Reads a text: UTF-8, or UTF-16 with a byte order mark, which is not part of the text. */
  readText(path: string, options?: ReadOptions): Promise<ReadResult>;
  /** Reads a whole file with any content. */
  readBase64(path: string, options?: ReadBytesOptions): Promise<ReadBytesResult>;
  /**
   * Replaces a file's text atomically, or creates the file and its directories. A link is followed to its target.
   * Permissions and byte order mark are preserved; a second hard link keeps the old text.
   */
  writeText(path: string, text: string, options?: ChangeOptions): Promise<WriteResult>;
  /** Returns the identity and state of a file, for a change that must apply to exactly this state. Follows links. */
  see(path: string): Promise<SeenFile>;
  /** The same for a name that will be removed or moved. Does not follow links. */
  seeEntry(path: string): Promise<SeenFile>;
  /** Holds an existing folder open, for a process that starts in it. */
  hold(path: string): Promise<HeldFolder>;
  list(path: string, options?: { readonly limit?: number }): Promise<ListResult>;
  search(pattern: string, options?: SearchOptions): Promise<SearchResult>;
  /** Finds files by a name pattern such as `*.ts`. */
  glob(pattern: string, options?: GlobOptions): Promise<GlobResult>;
  /** Removes a file, a link (not its target) or an empty directory; never one of `directories`. */
  remove(path: string, options?: ChangeOptions): Promise<RemoveResult>;
  /** Moves a file, a link or a directory; never replaces an existing one. */
  move(from: string, to: string, options?: ChangeOptions): Promise<MoveResult>;
}

/** The directories of a session. */
export interface FilesOptions {
  readonly cwd: string;
  /** Additional directories. @default none */
  readonly directories?: readonly string[];
}

/** Opens the files of a session; its directories must be absolute paths and exist. */
export async function openFiles({ cwd, directories = [] }: FilesOptions): Promise<Files> {
  return createFiles(await openRoots(cwd, directories));
}

/** Creates file access below known roots. */
export function createFiles(roots: Roots): Files {
  const attempt = async <T>(
    action: string,
    given: string,
    act: (request: FileRequest) => Promise<T>,
  ): Promise<T> => {
    try {
      return await act(createRequest(roots, action, given));
    } catch (error) {
      // Each failure leaves as one of ours, and says what was tried on which path.
      throw toWorkspaceError(error, action, given);
    }
  };
  return {
    cwd: roots.cwd,
    directories: roots.directories,
    resolve: (path) => attempt('resolve', path, async (request) => pathOf(await locate(request))),
    readText: (path, options = {}) => attempt('read', path, (request) => readText(options, request)),
    readBase64: (path, options = {}) => attempt('read', path, (request) => readBase64(options, request)),
    writeText: (path, text, options = {}) =>
      attempt('write', path, (request) => writeText(text, options, request)),
    see: (path) => attempt('look at', path, seeFile),
    seeEntry: (path) => attempt('look at', path, seeEntry),
    hold: (path) => attempt('open', path, holdFolder),
    list: (path, { limit = defaultListEntries } = {}) =>
      attempt('list', path, (request) => listDirectory(limit, request)),
    search: (pattern, options = {}) =>
      attempt('search', options.path ?? roots.cwd, (request) => search(pattern, options, request)),
    glob: (pattern, options = {}) =>
      attempt('find files in', options.path ?? roots.cwd, (request) => glob(pattern, options, request)),
    remove: (path, options = {}) => attempt('remove', path, (request) => remove(options, request)),
    move: (from, to, options = {}) =>
      attempt('move', from, (request) => move(request, createRequest(roots, 'move to', to), options)),
  };
}
