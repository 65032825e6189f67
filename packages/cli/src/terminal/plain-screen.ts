import { createWriter, type Writer } from '../output/writer.ts';
import type { LiveScreenOptions, Screen, ScreenSize } from './live-screen.ts';
import { columnsOf } from './wrap.ts';

/** The screen of a terminal that understands nothing but text: only the row with the cursor is drawn below the output. */
export class PlainScreen implements Screen {
  readonly #options: LiveScreenOptions;
  readonly #writer: Writer;
  /** The row that is being typed, as it stands there. */
  #row: string | undefined;
  #isAtLineStart = true;
  #isSuspended = false;
  #isDrawing = false;

  constructor(options: LiveScreenOptions) {
    this.#options = options;
    this.#writer = options.elsewhere ?? createWriter(options.stream);
  }

  get size(): ScreenSize {
    return { columns: this.#options.stream.columns ?? 80, rows: this.#options.stream.rows ?? 24 };
  }

  get closed(): AbortSignal {
    return this.#writer.closed;
  }

  get isBehind(): boolean {
    return this.#writer.isBehind;
  }

  write(text: string): void {
    if (text === '') return;
    this.#leaveRow();
    this.#writer.write(text);
    this.#isAtLineStart = text.endsWith('\n');
    this.refresh();
  }

  print(lines: readonly string[]): void {
    for (const line of lines) this.write(`${line}\n`);
  }

  showOpen(): void {
    // Only final lines are shown.
  }

  refresh(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    setImmediate(() => {
      this.#isDrawing = false;
      this.#draw();
    });
  }

  ready(): Promise<void> | undefined {
    return this.#writer.ready();
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }

  aside(write: () => void): void {
    this.#leaveRow();
    void this.#writer.flush();
    write();
    this.refresh();
  }

  suspend(): () => void {
    this.#leaveRow();
    this.#isSuspended = true;
    return () => {
      this.#isSuspended = false;
      this.refresh();
    };
  }

  close(): void {
    this.suspend();
  }

  #leaveRow(): void {
    if (this.#row === undefined) return;
    this.#row = undefined;
    this.#writer.write('\n');
    this.#isAtLineStart = true;
  }

  #draw(): void {
    const { rows, cursor } = this.#options.footer(this.size);
    const row = cursor === undefined || this.#isSuspended ? undefined : (rows[cursor.row] ?? '');
    const old = this.#row;
    if (row === old) return;
    if (row === undefined) {
      this.#leaveRow();
    } else if (old !== undefined && row.startsWith(old)) {
      this.#writer.write(row.slice(old.length));
    } else if (old?.startsWith(row) === true) {
      this.#writer.write('\b \b'.repeat(columnsOf(old) - columnsOf(row)));
    } else {
      this.#leaveRow();
      if (!this.#isAtLineStart) this.#writer.write('\n');
      this.#isAtLineStart = true;
      this.#writer.write(row);
    }
    this.#row = row;
  }
}
