import { toPlainLine } from '../../output/plain.ts';
import type { LineEditor } from '../../terminal/line-editor.ts';

/** What can be meant by what is being typed. */
export interface CompletionEntry {
  /** Without the sign before it. */
  readonly value: string;
  readonly description?: string;
}

/** Finds completions: of a command at the beginning of the line, or of a file behind an `@`. */
export interface Complete {
  readonly commands: (query: string) => readonly CompletionEntry[];
  readonly files: (query: string, signal: AbortSignal) => Promise<readonly string[]>;
}

/** Displayed completions. */
const shownEntries = 6;

interface Trigger {
  readonly kind: 'command' | 'file';
  readonly query: string;
}

/** The completions of the line that is being typed. Tab takes one, and Tab again the next. */
export class Completion {
  readonly #complete: Complete;
  readonly #onFound: () => void;
  #trigger: Trigger | undefined;
  #entries: readonly CompletionEntry[] = [];
  /** The entry that stands in the line. */
  #taken: { readonly index: number; readonly text: string; readonly cursor: number } | undefined;
  #search = new AbortController();

  constructor(complete: Complete, onFound: () => void) {
    this.#complete = complete;
    this.#onFound = onFound;
  }

  get rows(): readonly string[] {
    if (this.#trigger === undefined) return [];
    const sign = signOf(this.#trigger);
    const shown = this.#entries.slice(0, shownEntries);
    const width = Math.max(...shown.map(({ value }) => value.length)) + 2;
    return shown.map(({ value, description = '' }, index) => {
      const mark = index === (this.#taken?.index ?? 0) ? 'Tab' : '   ';
      return toPlainRow(`  ${mark}  ${sign}${value.padEnd(width)}${description}`);
    });
  }

  /** Finds the completions of the current line. */
  look(text: string, cursor: number): void {
    if (this.#taken?.text === text && this.#taken.cursor === cursor) return;
    this.#taken = undefined;
    const trigger = triggerAt(text, cursor);
    if (trigger?.kind === this.#trigger?.kind && trigger?.query === this.#trigger?.query) return;
    this.close();
    this.#trigger = trigger;
    if (trigger?.kind === 'command') this.#entries = this.#complete.commands(trigger.query);
    if (trigger?.kind === 'file') void this.#findFiles(trigger.query);
  }

  /** Puts an entry into the line. */
  accept(line: LineEditor): void {
    const trigger = this.#trigger;
    if (trigger === undefined || this.#entries.length === 0) return;
    const shown = Math.min(this.#entries.length, shownEntries);
    const index = this.#taken === undefined ? 0 : (this.#taken.index + 1) % shown;
    const typed = this.#taken === undefined ? trigger.query : this.#wordOf(this.#taken.index);
    line.replaceBefore(typed.length, this.#wordOf(index));
    this.#taken = { index, text: line.text, cursor: line.cursor };
  }

  close(): void {
    this.#search.abort();
    this.#trigger = undefined;
    this.#entries = [];
    this.#taken = undefined;
  }

  #wordOf(index: number): string {
    const value = this.#entries[index]?.value ?? '';
    if (this.#trigger?.kind !== 'file') return `${value} `;
    return /[\s"]/u.test(value) ? `"${value}" ` : `${value} `;
  }

  async #findFiles(query: string): Promise<void> {
    const search = new AbortController();
    this.#search = search;
    // A folder that cannot be read has no completions.
    const found = await this.#complete.files(query, search.signal).catch(() => []);
    if (search.signal.aborted) return;
    this.#entries = found.map((value) => ({ value }));
    this.#onFound();
  }
}

/** What is typed at the cursor that can be completed. */
function triggerAt(text: string, cursor: number): Trigger | undefined {
  const word = /[^\s]*$/u.exec(text.slice(Math.max(0, cursor - 400), cursor))?.[0] ?? '';
  if (word.length === cursor && word.startsWith('/')) return { kind: 'command', query: word.slice(1) };
  const sign = word.lastIndexOf('@');
  // What stands before the sign in an address is no mention; Chinese has no spaces between words.
  if (sign === -1 || (sign > 0 && /[\w.+/-]/u.test(word.charAt(sign - 1)))) return undefined;
  return { kind: 'file', query: word.slice(sign + 1) };
}

function signOf({ kind }: Trigger): string {
  return kind === 'command' ? '/' : '@';
}

/** Names of files and commands of agents are foreign; spaces align them. */
function toPlainRow(text: string): string {
  return text
    .split(/( {2,})/u)
    .map((part) => (part.startsWith('  ') ? part : toPlainPart(part)))
    .join('');
}

function toPlainPart(text: string): string {
  return text === '' ? '' : toPlainLine(text, 400);
}
