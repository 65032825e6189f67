import { isJsonObject } from '@parley/wire';

/** Replaces recorded values that differ now: ids, and the folder of the session. */
export class Rewrite {
  readonly #ids = new Map<string, string>();
  #cwd: { readonly pattern: RegExp; readonly to: string } | undefined;

  /** From now on this id is written as that one. */
  id(recorded: string, live: string): void {
    if (recorded !== live) this.#ids.set(recorded, live);
  }

  /** From now on paths in this directory are in that one. */
  cwd(recorded: string, live: string): void {
    // Not the root, which is at the beginning of everything.
    if (recorded === live || !/[^/\\]/u.test(recorded)) return;
    const from = recorded.replace(/[/\\]+$/u, '').replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
    const pattern = new RegExp(`(?<![\\w.-])${from}(?![\\w-]|\\.\\w)`, 'gu');
    this.#cwd = { pattern, to: live.replace(/[/\\]+$/u, '') };
  }

  /** A recorded value with replacements; the same value if nothing differs. */
  apply(value: unknown): unknown {
    return this.#ids.size === 0 && this.#cwd === undefined ? value : this.#walk(value);
  }

  #walk(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.#walk(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#walk(inner)]));
  }

  #text(text: string): string {
    const id = this.#ids.get(text);
    if (id !== undefined) return id;
    const cwd = this.#cwd;
    return cwd === undefined ? text : text.replace(cwd.pattern, () => cwd.to);
  }
}
