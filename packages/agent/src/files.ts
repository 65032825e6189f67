/** The files of one session. Paths outside its directories cannot be accessed. */
export interface Files {
  /** Real path of the working directory. */
  readonly cwd: string;
  /** Real paths of all directories, the working directory first. */
  readonly directories: readonly string[];
  /** Resolves the links of a path, which need not exist. */
  resolve(path: string): Promise<string>;
  readText(path: string, options?: ReadTextOptions): Promise<ReadText>;
  /** Reads a whole file with any content. */
  readBase64(path: string, options?: ReadBytesOptions): Promise<ReadBytes>;
  writeText(path: string, text: string, options?: ChangeOptions): Promise<OldText>;
  /** Returns the identity and state of a file, for a change that must apply to exactly this state. Follows links. */
  see(path: string): Promise<SeenFile>;
  /** The same for a name that will be removed or moved. Does not follow links. */
  seeEntry(path: string): Promise<SeenFile>;
  list(path: string, options?: { readonly limit?: number }): Promise<Listing>;
  search(pattern: string, options?: SearchOptions): Promise<SearchResult>;
  /** Finds files by a name pattern, sorted by path. */
  glob(pattern: string, options?: GlobOptions): Promise<GlobResult>;
  /** Removes a file, a link (not its target) or an empty directory. */
  remove(path: string, options?: ChangeOptions): Promise<OldText>;
  /** Moves a file. Never replaces an existing one. */
  move(
    from: string,
    to: string,
    options?: ChangeOptions,
  ): Promise<{ readonly from: string; readonly to: string }>;
}

/** The identity of a file when it was checked. */
export interface SeenFile {
  /** Its real path. */
  readonly path: string;
  /** Another one as soon as the file is another. */
  readonly mark: string;
}

/** Under which condition a file is changed. */
export interface ChangeOptions {
  /** Where the file is not this any more, it is left alone, and that fails with the code `changed`. */
  readonly seen?: SeenFile;
}

/** The content of a file before a change. */
export interface OldText {
  /** Null if the file did not exist, or if `oldTextOmitted` says why the text is missing. */
  readonly oldText: string | null;
  readonly oldTextOmitted?: 'binary' | 'too-large';
}

/** The part of a file to read; lines count from 1. */
export interface ReadTextOptions {
  readonly line?: number;
  readonly limit?: number;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Whether to read from the disk, ignoring unsaved text of an editor. @default false */
  readonly fromDisk?: boolean;
}

/** The text of a file, and the number of its lines, if known. */
export interface ReadText {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Whether the file may have more lines than `lines`. @default false */
  readonly hasMore?: boolean;
}

/** The maximum size of a file to read; a larger one is rejected. */
export interface ReadBytesOptions {
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** The content of a file. */
export interface ReadBytes {
  readonly bytes: number;
  readonly base64: string;
}

/** The entries of a directory. */
export interface Listing {
  readonly entries: readonly ListingEntry[];
  readonly hasMore: boolean;
  /** Number of entries that rules hide. @default none */
  readonly withheld?: number;
}

/** One entry of a directory. */
export interface ListingEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly bytes?: number;
}

/** Options of a search for files. */
export interface GlobOptions {
  readonly path?: string;
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** The real paths of files whose names match. */
export interface GlobResult {
  readonly paths: readonly string[];
  readonly hasMore: boolean;
  /** Files that are left out because rules protect them. @default none */
  readonly withheld?: number;
}

/** The scope and limits of a search. */
export interface SearchOptions {
  readonly path?: string;
  /** Whether the pattern is plain text. @default false */
  readonly literal?: boolean;
  /** A name pattern: only matching files are searched. @default all */
  readonly include?: string;
  readonly limit?: number;
  readonly maxLineLength?: number;
  readonly signal?: AbortSignal;
}

/** The lines that match a pattern. */
export interface SearchResult {
  readonly matches: readonly SearchMatch[];
  readonly hasMore: boolean;
  /** Whether rules may exclude files from the search. Whether such a file contains a match is not revealed. */
  readonly isRuled?: boolean;
}

/** A matching line; the first line is 1. */
export interface SearchMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}
