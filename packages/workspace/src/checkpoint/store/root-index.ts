import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError } from '../../error.ts';
import type { Git, GitRun } from '../git.ts';
import type { CoverageRules } from '../walk/rules.ts';
import { type BytePath, toBytePath } from '../workspace-path.ts';
import { type IndexEntry, writeIndexFile } from './index-file.ts';
import { emptyTreeId } from './objects.ts';
import type { RootState } from './store.ts';

/** Whose index it is. */
export interface RootIndexOptions {
  readonly git: Git;
  readonly gitDir: string;
  /** Absolute. */
  readonly folder: string;
  readonly rules: CoverageRules;
  readonly earlier: RootState | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The git index of one root: the index of the last take, copied before the first change. */
export class RootIndex {
  readonly #options: RootIndexOptions;
  #name: string | undefined;
  #isCopied = false;

  constructor(options: RootIndexOptions) {
    this.#options = options;
    this.#name = options.earlier?.index;
  }

  /** The name of the index file; undefined while the index is empty. */
  get name(): string | undefined {
    return this.#name;
  }

  get isEmpty(): boolean {
    return this.#name === undefined;
  }

  /** Where git finds it. */
  get location(): { readonly index: string; readonly hasIndex: boolean } {
    return { index: this.#file(this.#name ?? 'none'), hasIndex: !this.isEmpty };
  }

  /** Adds files whose content is stored to an empty index. */
  async populate(entries: readonly IndexEntry[]): Promise<void> {
    if (entries.length === 0) return;
    this.#name = randomUUID();
    this.#isCopied = true;
    await writeIndexFile(
      this.#file(this.#name),
      entries,
      this.#below === '' ? '' : `${toBytePath(this.#below)}/`,
    );
  }

  /** Reads files and adds them. @throws {WorkspaceError} One {@link isRetriable}: at least one of them could not be read. */
  async add(names: readonly BytePath[]): Promise<void> {
    await this.#update(['update-index', '-z', '--add', '--replace', '--remove', '--stdin'], names);
  }

  /** Adds halves until the files that cannot be added are found; returns these. */
  async addOneByOne(names: readonly BytePath[]): Promise<readonly BytePath[]> {
    try {
      await this.add(names);
      return [];
    } catch (error) {
      if (!isRetriable(error)) throw error;
      if (names.length === 1) return names;
      const middle = Math.ceil(names.length / 2);
      return [
        ...(await this.addOneByOne(names.slice(0, middle))),
        ...(await this.addOneByOne(names.slice(middle))),
      ];
    }
  }

  /** Removes files that it has. */
  async remove(names: readonly BytePath[]): Promise<void> {
    if (names.length === 0) return;
    await this.#update(['update-index', '-z', '--force-remove', '--stdin'], names);
  }

  /** Writes the tree; returns that of the last take if nothing has changed. */
  async tree(): Promise<string> {
    const { git, earlier } = this.#options;
    if (!this.#isCopied && earlier !== undefined) return earlier.tree;
    if (this.isEmpty) return emptyTreeId;
    const whole = (await git.run(['write-tree', '--missing-ok'], this.#run)).trim();
    if (this.#below === '') return whole;
    const found = await git.run(['rev-parse', '--verify', '--quiet', `${whole}:${this.#below}`], {
      ...this.#run,
      accept: [1, 128],
    });
    return found.trim() === '' ? emptyTreeId : found.trim();
  }

  async #update(args: readonly string[], names: readonly BytePath[]): Promise<void> {
    await this.#copy();
    const input = names.map((name) => `${name}\0`).join('');
    await this.#options.git.run(args, { ...this.#run, input });
  }

  /** The earlier index stays as it is until the checkpoint is stored. */
  async #copy(): Promise<void> {
    if (this.#isCopied) return;
    const earlier = this.#name;
    this.#name = randomUUID();
    if (earlier !== undefined) {
      await copyFile(this.#file(earlier), this.#file(this.#name), constants.COPYFILE_FICLONE);
    }
    this.#isCopied = true;
  }

  /** The folder's path in the work tree. */
  get #below(): string {
    const { folder, rules } = this.#options;
    return path.relative(rules.workTree, folder).split(path.sep).join('/');
  }

  #file(name: string): string {
    return path.join(this.#options.gitDir, 'indexes', name);
  }

  get #run(): GitRun {
    const { gitDir, folder, rules, signal } = this.#options;
    return { gitDir, cwd: folder, workTree: rules.workTree, index: this.location.index, signal };
  }
}

/** Whether git failed because of a file that it read. */
export function isRetriable(error: unknown): boolean {
  return error instanceof WorkspaceError && error.code === 'failed';
}
