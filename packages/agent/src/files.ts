/** The files of one session: nothing outside its directories can be reached through it. */
export interface Files {
  /** Real path of the working directory. */
  readonly cwd: string;
  /** Real paths of all directories, the working directory first. */
  readonly directories: readonly string[];
  /** Where a path really leads, links followed; it need not exist. */
  resolve(path: string): Promise<string>;
  readText(path: string, options?: ReadTextOptions): Promise<ReadText>;
  /** Reads a whole file with any content. */
  readBase64(path: string, options?: ReadBytesOptions): Promise<ReadBytes>;
  writeText(path: string, text: string, options?: ChangeOptions): Promise<OldText>;
  /** What a file is now, for a change that is to happen only while it is still that. Links are followed. */
  see(path: string): Promise<SeenFile>;
  /** The same of a name that is to be removed or moved: a link is the link. */
  seeEntry(path: string): Promise<SeenFile>;
  list(path: string, options?: { readonly limit?: number }): Promise<Listing>;
  search(pattern: string, options?: SearchOptions): Promise<SearchResult>;
  /** Finds files by a pattern of names, ordered by path. */
  glob(pattern: string, options?: GlobOptions): Promise<GlobResult>;
  /** Removes a file, a link (not what it links to), or an empty directory. */
  remove(path: string, options?: ChangeOptions): Promise<OldText>;
  /** Never replaces anything. */
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

/** What a file held before it was changed. */
export interface OldText {
  /** Null when there was no file, or when `oldTextOmitted` says why its text is not here. */
  readonly oldText: string | null;
  readonly oldTextOmitted?: 'binary' | 'too-large';
}

/** Which part of a file to read; lines count from 1. */
export interface ReadTextOptions {
  readonly line?: number;
  readonly limit?: number;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Whether to read the disk, ignoring unsaved text of an editor. @default false */
  readonly fromDisk?: boolean;
}

/** Text of a file, and how many lines the whole file has, as far as that is known. */
export interface ReadText {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Whether the file may have more lines than `lines`. @default false */
  readonly hasMore?: boolean;
}

/** How much of a file to read at most; a larger one is refused. */
export interface ReadBytesOptions {
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** What a file holds. */
export interface ReadBytes {
  readonly bytes: number;
  readonly base64: string;
}

/** What a directory holds. */
export interface Listing {
  readonly entries: readonly ListingEntry[];
  readonly hasMore: boolean;
  /** Entries that are left out because rules protect them. @default none */
  readonly withheld?: number;
}

/** One name in a directory. */
export interface ListingEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly bytes?: number;
}

/** Where to look for files, and how many to bring. */
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

/** Where and how far to search. */
export interface SearchOptions {
  readonly path?: string;
  /** The pattern is plain text. @default false */
  readonly literal?: boolean;
  /** A pattern of names: only files that fit are searched. @default all */
  readonly include?: string;
  readonly limit?: number;
  readonly maxLineLength?: number;
  readonly signal?: AbortSignal;
}

/** Lines that match a pattern. */
export interface SearchResult {
  readonly matches: readonly SearchMatch[];
  readonly hasMore: boolean;
  /** There are rules that may keep files from being searched. Whether one of those has a match is not revealed: that would be an answer. */
  readonly isRuled?: boolean;
}

/** One matching line; lines count from 1. */
export interface SearchMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}
