/**
 * A Markdown text in pieces that can be shown each for itself, so that a message which is still being written need not be
 * read again from its beginning. Together the blocks are the text.
 */
export interface MarkdownSplit {
  readonly text: string;
  readonly blocks: readonly string[];
  /** Definitions of links and footnotes, which count for all blocks. */
  readonly definitions: string;
  /** How many blocks stay as they are, however the text continues. */
  readonly settled: number;
}

/** Splits a text into blocks. If an earlier text is its start, only the end is split again. */
export function splitMarkdown(text: string, before?: MarkdownSplit): MarkdownSplit {
  const isMore = before !== undefined && text.startsWith(before.text);
  const kept = isMore ? before.blocks.slice(0, before.settled) : [];
  const begin = kept.reduce((length, block) => length + block.length, 0);
  const scan = new Scan(text, begin);
  const blocks = [...kept, ...scan.blocks];
  const definitions = blocks.filter((block) => definition.test(block)).join('\n');
  return { text, blocks, definitions, settled: kept.length + scan.settled };
}

/** A block that is a fence of code as a whole. */
export interface Fence {
  readonly language: string;
  readonly code: string;
  /** Its end is there. */
  readonly isClosed: boolean;
}

/** The content of a block, if it is a fence. */
export function fenceOf(block: string): Fence | undefined {
  const open = openingFence.exec(block);
  if (open === null) return undefined;
  const [line, marks = '', info = ''] = open;
  const lines = block.slice(line.length).split('\n');
  const end = lines.findIndex((each) => closes(marks, each));
  const isClosed = end !== -1;
  const [language = ''] = info.trim().split(/\s/);
  const code = (isClosed ? lines.slice(0, end) : lines).join('\n');
  return { language, code, isClosed };
}

const openingFence = /^(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)(?:\n|$)/;
const indentedFence = /^ {1,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/;
const definition = /^ {0,3}\[[^\]\n]+\]:/;
const listItem = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** HTML that may contain empty lines, by its start and end. It is shown as text, in one block. */
const html: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:\s|>|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![a-z]/i, />/],
];

function closes(marks: string, line: string): boolean {
  const mark = marks[0] ?? '';
  const closing = line.replace(/^ {0,3}/, '').trimEnd();
  return closing.length >= marks.length && closing === mark.repeat(closing.length);
}

/** Reads a text line by line, and starts a new block where no earlier block can continue. */
class Scan {
  readonly blocks: string[] = [];
  settled = 0;
  #isList = false;
  /** Of the fence that is open. */
  #fence: string | undefined;
  /** The end of the HTML that is open. */
  #html: RegExp | undefined;
  #isAfterBlank = false;
  #isFence = false;
  /** The block was a fence, and that fence is closed. */
  #isOver = false;

  constructor(text: string, begin: number) {
    let start = begin;
    for (let at = begin; at < text.length;) {
      const end = text.indexOf('\n', at);
      const next = end === -1 ? text.length : end + 1;
      const line = text.slice(at, next);
      if (at === start) {
        this.#begin(line);
      } else if (this.#isBeginning(line)) {
        this.blocks.push(text.slice(start, at));
        start = at;
        // The kind of an incomplete line is unknown.
        if (end !== -1) this.settled = this.blocks.length;
        this.#begin(line);
      } else {
        this.#goOn(line);
      }
      at = next;
    }
    if (start < text.length) this.blocks.push(text.slice(start));
  }

  #begin(line: string): void {
    this.#isList = listItem.test(line);
    this.#isAfterBlank = line.trim() === '';
    this.#isOver = false;
    this.#fence = (openingFence.exec(line) ?? indentedFence.exec(line))?.[1];
    this.#isFence = this.#fence !== undefined;
    this.#html = this.#isFence ? undefined : htmlEnd(line);
  }

  #isBeginning(line: string): boolean {
    // A fence within a list ends with the list.
    if (this.#isList && /^\S/.test(line)) this.#fence = undefined;
    if (this.#fence !== undefined || this.#html !== undefined || line.trim() === '') return false;
    if (this.#isOver || openingFence.test(line)) return true;
    if (!this.#isAfterBlank || /^\s/.test(line)) return false;
    return !(this.#isList && listItem.test(line));
  }

  #goOn(line: string): void {
    this.#isAfterBlank = line.trim() === '';
    if (this.#fence !== undefined) {
      if (!closes(this.#fence, line)) return;
      this.#fence = undefined;
      this.#isOver = this.#isFence;
    } else if (this.#html === undefined) {
      this.#fence = indentedFence.exec(line)?.[1];
      this.#html = this.#fence === undefined ? htmlEnd(line) : undefined;
    } else if (this.#html.test(line)) {
      this.#html = undefined;
    }
  }
}

function htmlEnd(line: string): RegExp | undefined {
  const [begin, end] = html.find(([start]) => start.test(line)) ?? [];
  if (begin === undefined || end === undefined) return undefined;
  return end.test(line.replace(begin, '')) ? undefined : end;
}
