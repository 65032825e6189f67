/** What a person reads of an HTML page, with headings, lists and links as Markdown writes them. */
export function htmlToText(html: string): string {
  const page = new PageText();
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf('<', at);
    if (start === -1) break;
    page.add(html.slice(at, start));
    const isComment = html.startsWith('<!--', start);
    const end = html.indexOf(isComment ? '-->' : '>', start);
    if (end === -1) return page.whole();
    at = end + (isComment ? 3 : 1);
    if (isComment) continue;
    const tag = html.slice(start + 1, end);
    const name = /^\/?[a-z][a-z0-9]*/iu.exec(tag)?.[0].toLowerCase() ?? '';
    if (unread.has(name)) at = endOf(html, name, at);
    else page.tag(name, tag);
  }
  page.add(html.slice(at));
  return page.whole();
}

/** What no reader sees. */
const unread: ReadonlySet<string> = new Set('script style noscript template svg'.split(' '));

/** The place behind the end tag of an element; the end of the page when it has none. */
function endOf(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[^>]{0,100}>`, 'giu');
  closing.lastIndex = from;
  return closing.exec(html) === null ? html.length : closing.lastIndex;
}

const paragraphs: ReadonlySet<string> = new Set(
  'p div section article main header footer nav aside ul ol dl table blockquote form figure hr body'.split(
    ' ',
  ),
);
const lines: ReadonlySet<string> = new Set('br tr dt dd option'.split(' '));

/** The text of a page, while its tags are read. */
class PageText {
  readonly #done: string[] = [];
  /** The end of the text; what is before it does not change any more. */
  #text = '';
  #title = '';
  #isTitle = false;
  #isPreformatted = false;
  #link: { readonly address: string; readonly start: number } | undefined;

  add(source: string): void {
    const text = decode(source);
    if (this.#isTitle) this.#title += text;
    else if (this.#isPreformatted) this.#text += text;
    else {
      const spaced = text.replaceAll(/[\s\u00a0]+/gu, ' ');
      this.#text += /[\s]$|^$/u.test(this.#text.slice(-1)) ? spaced.trimStart() : spaced;
    }
  }

  tag(name: string, tag: string): void {
    this.#settle();
    const plain = name.replace('/', '');
    const isEnd = name !== plain;
    if (plain === 'title') this.#isTitle = !isEnd;
    else if (plain === 'pre') this.#preformat(!isEnd);
    else if (plain === 'a') this.#anchor(isEnd ? undefined : tag);
    else if (/^h[1-6]$/u.test(plain)) this.#break(2, isEnd ? '' : `${'#'.repeat(Number(plain[1]))} `);
    else if (plain === 'li') this.#break(1, isEnd ? '' : '- ');
    else if (paragraphs.has(plain)) this.#break(2, '');
    else if (lines.has(plain)) this.#break(1, '');
    else if (isEnd && (plain === 'td' || plain === 'th')) this.#text += ' ';
  }

  whole(): string {
    const heading = this.#title.replaceAll(/\s+/gu, ' ').trim();
    return `${heading}\n\n${(this.#done.join('') + this.#text).trim()}`.trim();
  }

  /** Keeps the end short: each look at a growing text would cost as much as the text is long. */
  #settle(): void {
    if (this.#text.length < 4096) return;
    // A link of that length is none.
    this.#link = undefined;
    this.#done.push(this.#text.slice(0, -3));
    this.#text = this.#text.slice(-3);
  }

  #preformat(begins: boolean): void {
    if (begins === this.#isPreformatted) return;
    this.#isPreformatted = begins;
    if (begins) this.#break(2, '```\n');
    else {
      this.#text += this.#text.endsWith('\n') ? '```' : '\n```';
      this.#break(2, '');
    }
  }

  #anchor(tag: string | undefined): void {
    const link = this.#link;
    this.#link = undefined;
    if (tag !== undefined) {
      const found = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+))/iu.exec(tag);
      const address = decode(found?.[1] ?? found?.[2] ?? found?.[3] ?? '');
      if (/^https?:|^\//iu.test(address)) this.#link = { address, start: this.#text.length };
      return;
    }
    if (link === undefined) return;
    const label = this.#text.slice(link.start).trim();
    if (label === '' || label.includes('\n')) return;
    const space = /^\s/u.test(this.#text.slice(link.start, link.start + 1)) ? ' ' : '';
    this.#text = `${this.#text.slice(0, link.start)}${space}[${label}](${link.address})`;
  }

  /** Begins a new line, or a new paragraph; there are never more empty lines. */
  #break(newlines: 1 | 2, start: string): void {
    if (this.#isPreformatted && start !== '```\n') {
      this.#text += '\n';
      return;
    }
    const end = /[ \n]*$/u.exec(this.#text.slice(-3))?.[0] ?? '';
    const missing = Math.max(0, newlines - end.replaceAll(' ', '').length);
    const isEmpty = this.#done.length === 0 && this.#text.trim() === '';
    this.#text = `${end.includes(' ') ? this.#text.slice(0, -1) : this.#text}${isEmpty ? '' : '\n'.repeat(missing)}${start}`;
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  times: '×',
  rarr: '→',
  larr: '←',
};

function decode(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/giu,
    (whole, decimal, hex, name) => {
      if (typeof name === 'string') return entities[name.toLowerCase()] ?? whole;
      const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
