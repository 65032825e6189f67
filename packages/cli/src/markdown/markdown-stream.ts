import type { Style } from '../output/style.ts';
import { wrapLine } from '../terminal/wrap.ts';
import { renderInline } from './inline.ts';
import { cellsOf, isDivider, renderTable } from './table.ts';

/** Rows of a table that are buffered before it is displayed; later rows are displayed one by one. */
const maxTableRows = 100;

/** How text is laid out. */
export interface MarkdownOptions {
  readonly columns: () => number;
  readonly style: Style;
}

/**
 * Markdown as rows of a terminal, line by line as it comes: a finished line is final, except in a table. The text is safe to
 * show already. Line breaks stay where they are.
 */
export class MarkdownStream {
  readonly #options: MarkdownOptions;
  #line = '';
  #fence: { readonly mark: string; readonly indentation: number } | undefined;
  /** Lines that may be a table. */
  #table: readonly string[] = [];

  constructor(options: MarkdownOptions) {
    this.#options = options;
  }

  /** Takes text; returns the rows that are final. */
  add(text: string): readonly string[] {
    const [first = '', ...others] = text.split('\n');
    const rows: string[] = [];
    this.#line += first;
    for (const next of others) {
      rows.push(...this.#take(this.#line));
      this.#line = next;
    }
    return rows;
  }

  /** The rows at the end that may still change. */
  get open(): readonly string[] {
    const line = this.#line === '' ? [] : this.#render(this.#line);
    return [...this.#tableRows(), ...line];
  }

  /** Ends the line; the next one is in the same block of code. */
  flush(): readonly string[] {
    const line = this.#line;
    this.#line = '';
    return [...(line === '' ? [] : this.#take(line)), ...this.#endTable()];
  }

  /** Ends the text. */
  end(): readonly string[] {
    const rows = this.flush();
    this.#fence = undefined;
    return rows;
  }

  #take(line: string): readonly string[] {
    if (this.#fence !== undefined) {
      if (!isClosing(line, this.#fence.mark)) return this.#render(line);
      this.#fence = undefined;
      return [];
    }
    if (this.#continuesTable(line)) {
      this.#table = [...this.#table, line];
      return this.#table.length > maxTableRows ? this.#endTable() : [];
    }
    const rows = this.#endTable();
    const fence = /^( *)(`{3,}|~{3,})([^`]*)$/u.exec(line);
    if (fence !== null) {
      const [, indentation = '', mark = '', language = ''] = fence;
      this.#fence = { mark, indentation: indentation.length };
      const { style } = this.#options;
      const label = language.trim();
      return [...rows, ...(label === '' ? [] : [style.dim(codeIndentation + label)])];
    }
    if (line.includes('|')) {
      this.#table = [line];
      return rows;
    }
    return [...rows, ...this.#render(line)];
  }

  #continuesTable(line: string): boolean {
    const [head] = this.#table;
    if (head === undefined) return false;
    if (this.#table.length > 1) return line.includes('|');
    return isDivider(line) && cellsOf(line).length === cellsOf(head).length;
  }

  #endTable(): readonly string[] {
    const rows = this.#tableRows();
    this.#table = [];
    return rows;
  }

  #tableRows(): readonly string[] {
    const { columns, style } = this.#options;
    const lines = this.#table;
    const asCame = (): readonly string[] => lines.flatMap((line) => this.#render(line));
    return lines.length < 2 ? asCame() : (renderTable(lines, columns(), style) ?? asCame());
  }

  /** One line that is no part of a table. */
  #render(line: string): readonly string[] {
    const { columns, style } = this.#options;
    if (this.#fence !== undefined) {
      const code = line.replace(new RegExp(`^ {0,${String(this.#fence.indentation)}}`, 'u'), '');
      // The terminal wraps it: what is copied is the code.
      return [style.cyan(codeIndentation + code.replaceAll('\t', '    '))];
    }
    const text = style.isColoured ? this.#renderBlock(line) : line;
    return wrapLine(text, columns());
  }

  #renderBlock(line: string): string {
    const { columns, style } = this.#options;
    const heading = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/u.exec(line);
    if (heading !== null) {
      const [, marks = '', title = ''] = heading;
      const text = style.bold(renderInline(title, style));
      return marks.length === 1 ? style.underline(text) : text;
    }
    if (/^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/u.test(line)) {
      return style.dim('─'.repeat(Math.min(40, columns())));
    }
    const quote = /^ *((?:> ?)+)(.*)$/u.exec(line);
    if (quote !== null) {
      const [, marks = '', text = ''] = quote;
      return '│ '.repeat(marks.replaceAll(' ', '').length) + renderInline(text, style);
    }
    const item = /^(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$/u.exec(line);
    if (item !== null) {
      const [, indentation = '', mark = '', text = ''] = item;
      return `${indentation}${/\d/u.test(mark) ? mark : '•'} ${renderInline(text, style)}`;
    }
    return renderInline(line, style);
  }
}

const codeIndentation = '  ';

function isClosing(line: string, mark: string): boolean {
  const closing = line.trim();
  return closing.length >= mark.length && closing === mark.charAt(0).repeat(closing.length);
}
