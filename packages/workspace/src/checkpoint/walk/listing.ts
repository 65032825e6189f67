import type { BytePath } from '../workspace-path.ts';

/** Paths that the index does not have. Relative to the folder. */
export interface ListedPaths {
  /** Files and links that the rules cover. */
  readonly untracked: readonly BytePath[];
  /** Folders with a repository of their own. */
  readonly nested: readonly BytePath[];
  /** What the rules ignore; whole folders end with a slash. */
  readonly ignored: readonly BytePath[];
  /** Other files: git before 2.28 lists no ignored ones in folders of which the index has no file. */
  readonly unlisted: readonly BytePath[];
}

/** Git's listing of a folder, updated with later changes. */
export class Listing {
  readonly #untracked: Set<BytePath>;
  readonly #unlisted: Set<BytePath>;
  readonly #nested: readonly BytePath[];
  readonly #ignored: readonly BytePath[];
  /** Folders whose files are all ignored, which are not ignored themselves: a new file may be covered. */
  readonly #hidden = new Set<BytePath>();
  /** Folders in which something is ignored. */
  readonly #around = new Set<BytePath>();
  readonly skipped: ReadonlySet<BytePath>;

  constructor({ untracked, nested, ignored, unlisted }: ListedPaths) {
    this.#untracked = new Set(untracked);
    this.#unlisted = new Set(unlisted);
    this.#nested = nested;
    this.#ignored = ignored.toSorted((left, right) => (left < right ? -1 : 1));
    const skipped = new Set(nested.map((name) => `${name}/`));
    for (const [index, name] of this.#ignored.entries()) {
      if (name.endsWith('/') && this.#ignored[index + 1]?.startsWith(name) === true) {
        this.#hidden.add(name.slice(0, -1));
      } else skipped.add(name);
    }
    for (const name of [...ignored, ...unlisted]) {
      const around = parentOf(name.replace(/\/$/u, ''));
      for (let at = around; at !== '' && !this.#around.has(at); at = parentOf(at)) this.#around.add(at);
    }
    this.skipped = skipped;
  }

  get paths(): ListedPaths {
    return {
      untracked: [...this.#untracked],
      nested: this.#nested,
      ignored: this.#ignored,
      unlisted: [...this.#unlisted],
    };
  }

  /** Whether the index has no such file. */
  isUntracked(name: BytePath): boolean {
    return this.#untracked.has(name) || this.#unlisted.has(name);
  }

  /** Whether a folder counts as ignored because everything in it is. */
  isHidden(path: BytePath): boolean {
    if (this.#hidden.size === 0) return false;
    for (let at = path; at !== ''; at = parentOf(at)) if (this.#hidden.has(at)) return true;
    return false;
  }

  /** Whether git may list folders around a file otherwise when the index has no file in them. */
  isNearIgnored(name: BytePath): boolean {
    for (let at = name; at !== ''; at = parentOf(at)) {
      if (this.#around.has(at) || this.skipped.has(at) || this.skipped.has(`${at}/`)) return true;
    }
    return false;
  }

  /** The index has this file now. False: git has to list again. */
  add(name: BytePath): boolean {
    this.#untracked.delete(name);
    this.#unlisted.delete(name);
    return !this.isNearIgnored(name);
  }
}

export function parentOf(name: BytePath): BytePath {
  return name.slice(0, Math.max(name.lastIndexOf('/'), 0));
}
