import type { Writable } from 'node:stream';
import type { Writer } from '../output/writer.ts';
import { columnsOf, wrapLine } from './wrap.ts';

/** What stands below the output, row by row; each fits in a row of the screen. */
export interface Footer {
  readonly rows: readonly string[];
  /** Where the cursor stands. @default behind the last row */
  readonly cursor?: CursorPosition;
}

/** A position in rows, both from 0. */
export interface CursorPosition {
  readonly row: number;
  readonly column: number;
}

/** A terminal as a screen is drawn on it. */
export interface ScreenStream extends Writable {
  readonly columns?: number;
  readonly rows?: number;
}

/** Output on a terminal, with what is typed below it. */
export interface Screen extends Writer {
  readonly size: ScreenSize;
  /** Writes final lines as they are: a longer one is wrapped by the terminal, so that it can be copied whole. */
  print(lines: readonly string[]): void;
  /** Shows rows behind the output that may still change, in place of those before. */
  showOpen(rows: () => readonly string[]): void;
  /** Draws soon what has changed. */
  refresh(): void;
  /** Lets something else write to the terminal, above the footer. */
  aside(write: () => void): void;
  /** Erases the footer, and draws nothing until what this returns is called. */
  suspend(): () => void;
  /** Draws the output a last time, without the footer. */
  close(): void;
}

/** What a screen shows, and where. */
export interface LiveScreenOptions {
  readonly stream: ScreenStream;
  /** Called for each drawing. */
  readonly footer: (size: ScreenSize) => Footer;
  /** Where finished output goes instead of the screen: a file, for example. */
  readonly elsewhere?: Writer;
}

/** How much fits. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

const usualSize: ScreenSize = { columns: 80, rows: 24 };

/** Interval of screen updates. */
const frameMs = 15;

/** Characters that are buffered before the agent has to wait. */
const maxGathered = 1024 * 1024;

/** Redrawn rows at the end of the output, which may still change. */
const maxOpenRows = 12;

/** Length at which a line is broken, because open lines are wrapped again for each screen update. */
const maxLineLength = 8000;

/**
 * Output that scrolls, and below it rows that are redrawn in place: what is being typed, what runs. Only rows that changed
 * are written again.
 */
export class LiveScreen implements Screen {
  readonly #options: LiveScreenOptions;
  readonly #closed = new AbortController();
  /** Final lines that are not drawn yet. */
  #lines: string[] = [];
  #gathered = 0;
  /** The last line, which may be incomplete. */
  #line = '';
  /** Rows after it that may still change. */
  #open: () => readonly string[] = () => [];
  #drawn: readonly string[] = [];
  /** How many of the drawn rows are output. */
  #drawnOutput = 0;
  #cursor: CursorPosition = { row: 0, column: 0 };
  #drawing: NodeJS.Timeout | undefined;
  #caughtUp: PromiseWithResolvers | undefined;
  #isSuspended = false;
  #drawnColumns: number;

  constructor(options: LiveScreenOptions) {
    this.#options = options;
    this.#drawnColumns = this.size.columns;
    const { stream } = options;
    stream.on('error', this.#fail);
    stream.on('resize', this.#resize);
  }

  get size(): ScreenSize {
    const { columns = 0, rows = 0 } = this.#options.stream;
    return columns > 0 && rows > 0 ? { columns, rows } : usualSize;
  }

  get closed(): AbortSignal {
    return this.#options.elsewhere?.closed ?? this.#closed.signal;
  }

  get isBehind(): boolean {
    return this.#options.elsewhere?.isBehind ?? this.#gathered >= maxGathered;
  }

  write(text: string): void {
    const { elsewhere } = this.#options;
    if (elsewhere !== undefined) {
      elsewhere.write(text);
      return;
    }
    const [first = '', ...others] = text.split('\n');
    this.#extend(first);
    for (const line of others) {
      this.#lines.push(...wrapLine(this.#line, this.size.columns));
      this.#line = '';
      this.#extend(line);
    }
    this.#gathered += text.length;
    this.refresh();
  }

  #extend(text: string): void {
    this.#line += text;
    while (this.#line.length > maxLineLength) {
      this.#lines.push(...wrapLine(this.#line.slice(0, maxLineLength), this.size.columns));
      this.#line = this.#line.slice(maxLineLength);
    }
  }

  print(lines: readonly string[]): void {
    for (const line of lines) {
      this.#lines.push(line);
      this.#gathered += line.length;
    }
    this.refresh();
  }

  showOpen(rows: () => readonly string[]): void {
    this.#open = rows;
    this.refresh();
  }

  refresh(): void {
    this.#drawing ??= setTimeout(() => {
      this.#draw();
    }, frameMs);
  }

  ready(): Promise<void> | undefined {
    const { elsewhere } = this.#options;
    if (elsewhere !== undefined) return elsewhere.ready();
    if (this.#gathered < maxGathered || this.closed.aborted) return undefined;
    this.#caughtUp ??= withResolvers();
    return this.#caughtUp.promise;
  }

  async flush(): Promise<void> {
    this.#draw();
    await this.#options.elsewhere?.flush();
    if (this.closed.aborted) return;
    await new Promise<void>((resolve) => {
      this.#options.stream.write('', () => {
        resolve();
      });
    });
  }

  aside(write: () => void): void {
    if (this.#isSuspended) {
      write();
      return;
    }
    this.#draw();
    this.#erase();
    write();
    this.#draw();
  }

  suspend(): () => void {
    this.#draw();
    this.#erase();
    this.#isSuspended = true;
    return () => {
      this.#isSuspended = false;
      this.#draw();
    };
  }

  close(): void {
    const { stream } = this.#options;
    if (this.#line !== '') this.write('\n');
    this.suspend();
    stream.off('error', this.#fail);
    stream.off('resize', this.#resize);
  }

  readonly #fail = (): void => {
    this.#closed.abort();
    this.#caughtUp?.resolve();
  };

  /** Terminals wrap what is on the screen again: where the drawn rows begin is computed from their widths. */
  readonly #resize = (): void => {
    const { columns } = this.size;
    const above = this.#drawn
      .slice(0, this.#cursor.row)
      .reduce((sum, row) => sum + Math.max(1, Math.ceil(columnsOf(row) / columns)), 0);
    const inRow = columns < this.#drawnColumns ? Math.floor(this.#cursor.column / columns) : 0;
    this.#drawnColumns = columns;
    if (!this.#isSuspended) this.#put(`${vertically(-above - inRow)}\r\u001b[J`);
    this.#drawn = [];
    this.#cursor = { row: 0, column: 0 };
    this.refresh();
  };

  #erase(): void {
    if (this.#drawn.length > 0) this.#put(`${vertically(-this.#cursor.row)}\r\u001b[J`);
    this.#drawn = [];
    this.#cursor = { row: 0, column: 0 };
  }

  #draw(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    if (this.#isSuspended || this.closed.aborted) return;
    const { columns, rows } = this.size;
    const lines = this.#lines;
    this.#lines = [];
    this.#gathered = 0;
    const { rows: footRows, cursor } = this.#options.footer(this.size);
    const foot = footRows.slice(-(rows - 1));
    const room = Math.max(1, Math.min(maxOpenRows, rows - 1 - foot.length));
    const open = [...(this.#line === '' ? [] : wrapLine(this.#line, columns)), ...this.#open()];
    const shown = [...open.slice(-room), ...foot];
    this.#replace(lines, shown, columns);
    this.#drawnOutput = shown.length - foot.length;
    if (cursor !== undefined) {
      const row = shown.length - foot.length + cursor.row - (footRows.length - foot.length);
      this.#moveTo({ row, column: cursor.column });
    }
    this.#caughtUp?.resolve();
    this.#caughtUp = undefined;
  }

  /** Writes final lines where the drawn rows begin, and the shown rows below them. */
  #replace(lines: readonly string[], shown: readonly string[], columns: number): void {
    const target = [...lines, ...shown];
    // A line that takes several rows would leave the ends of old ones.
    if (lines.some((line) => columnsOf(line) > columns)) this.#erase();
    const from = firstDifference(this.#drawn, target);
    if (from === target.length && from === this.#drawn.length) {
      this.#drawn = shown;
      this.#cursor = { ...this.#cursor, row: this.#cursor.row - lines.length };
      return;
    }
    const start = Math.max(0, Math.min(from, this.#drawn.length - 1));
    let out = vertically(start - this.#cursor.row);
    if (from > start) out += '\r\n';
    for (let index = from; index < target.length; index += 1) {
      if (index > from) out += '\r\n';
      const old = index < this.#drawnOutput ? this.#drawn[index] : undefined;
      out += rewritten(old, target[index] ?? '');
    }
    const isShorter = this.#drawn.length > target.length;
    // What is left of longer ones is below.
    if (isShorter) out += from < target.length ? '\r\n\u001b[J' : '\r\u001b[J';
    if (isShorter && target.length > 0) out += '\u001b[A';
    // Without rows to show, what comes next begins on a row of its own.
    if (shown.length === 0 && target.length > 0) out += '\r\n';
    const last = shown.at(-1);
    this.#drawn = shown;
    this.#cursor = { row: Math.max(0, shown.length - 1), column: columnsOf(last ?? '') };
    this.#put(`${out}\r${right(this.#cursor.column)}`);
  }

  #moveTo({ row, column }: CursorPosition): void {
    const { row: from, column: at } = this.#cursor;
    if (row === from && column === at) return;
    this.#put(`${vertically(row - from)}\r${right(column)}`);
    this.#cursor = { row, column };
  }

  #put(text: string): void {
    if (text !== '' && !this.#closed.signal.aborted) this.#options.stream.write(text);
  }
}

function firstDifference(drawn: readonly string[], target: readonly string[]): number {
  const length = Math.min(drawn.length, target.length);
  for (let index = 0; index < length; index += 1) if (drawn[index] !== target[index]) return index;
  return length;
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function withResolvers(): PromiseWithResolvers {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A row in place of another. Output that was only extended is not written twice, because a screen reader would read it twice. */
function rewritten(old: string | undefined, row: string): string {
  if (old !== undefined && old !== '' && row.startsWith(old)) {
    return `\r${right(columnsOf(old))}${row.slice(old.length)}`;
  }
  return `\r\u001b[K${row}`;
}

function vertically(rows: number): string {
  if (rows === 0) return '';
  return rows < 0 ? `\u001b[${String(-rows)}A` : `\u001b[${String(rows)}B`;
}

function right(columns: number): string {
  return columns > 0 ? `\u001b[${String(columns)}C` : '';
}
