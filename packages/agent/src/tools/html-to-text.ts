import { QuoteType, Tokenizer } from 'htmlparser2';

/**
 * The visible text of an HTML page, with headings, lists and links as Markdown writes them.
 *
 * @param address Where the page is from; its links are resolved against it.
 */
export function htmlToText(html: string, address: string): string {
  const page = new PageText(address);
  const hidden = new HiddenElement();
  let name = '';
  let attribute = '';
  let value = '';
  let href: string | undefined;
  const open = (): void => {
    if (!hidden.open(name)) page.open(name, href);
  };
  const tokenizer = new Tokenizer(
    {},
    {
      ontext: (start, end) => {
        if (!hidden.isOpen) page.add(html.slice(start, end));
      },
      ontextentity: (codePoint) => {
        if (!hidden.isOpen) page.add(toText(codePoint));
      },
      onopentagname: (start, end) => {
        name = html.slice(start, end).toLowerCase();
        href = undefined;
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => {
        if (attribute === 'href') value += html.slice(start, end);
      },
      onattribentity: (codePoint) => {
        value += String.fromCodePoint(codePoint);
      },
      onattribend: (quote) => {
        if (attribute === 'href' && quote !== QuoteType.NoValue) href ??= value;
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => {
        const closed = html.slice(start, end).toLowerCase();
        if (!hidden.close(closed)) page.close(closed);
      },
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return page.whole();
}

function ignore(): void {
  // No text of the page.
}

function toText(codePoint: number): string {
  // U+00AD shows where a word may be divided.
  return codePoint === 0xad ? '' : String.fromCodePoint(codePoint);
}

const hiddenNames: ReadonlySet<string> = new Set('script style noscript template svg'.split(' '));

/** The outermost open element whose content is not displayed. */
class HiddenElement {
  #name = '';
  #depth = 0;

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** Returns whether the start tag belongs to such an element. */
  open(name: string): boolean {
    if (this.#depth === 0 && hiddenNames.has(name)) this.#name = name;
    if (this.#depth === 0 && this.#name !== name) return false;
    if (this.#name === name) this.#depth += 1;
    return true;
  }

  /** Returns whether the end tag belongs to such an element. */
  close(name: string): boolean {
    if (this.#depth === 0) return false;
    if (this.#name === name) this.#depth -= 1;
    if (this.#depth === 0) this.#name = '';
    return true;
  }
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
  #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  add(text: string): void {
    this.#settle();
    if (this.#isTitle) this.#title += text;
    else if (this.#isPreformatted) this.#text += text;
    else {
      const spaced = text.replaceAll(/[\s\u00a0]+/gu, ' ');
      this.#text += /[\s]$|^$/u.test(this.#text.slice(-1)) ? spaced.trimStart() : spaced;
    }
  }

  open(name: string, href: string | undefined): void {
    this.#settle();
    if (name === 'base') this.#address = this.#resolve(href) ?? this.#address;
    else if (name === 'title') this.#isTitle = true;
    else if (name === 'pre') this.#preformat(true);
    else if (name === 'a') this.#beginLink(href);
    else if (/^h[1-6]$/u.test(name)) this.#break(2, `${'#'.repeat(Number(name[1]))} `);
    else if (name === 'li') this.#break(1, '- ');
    else this.#breakAround(name);
  }

  close(name: string): void {
    this.#settle();
    if (name === 'title') this.#isTitle = false;
    else if (name === 'pre') this.#preformat(false);
    else if (name === 'a') this.#endLink();
    else if (/^h[1-6]$/u.test(name)) this.#break(2, '');
    else if (name === 'li') this.#break(1, '');
    else if (name === 'td' || name === 'th') this.#text += ' ';
    else this.#breakAround(name);
  }

  whole(): string {
    const heading = this.#title.replaceAll(/\s+/gu, ' ').trim();
    return `${heading}\n\n${(this.#done.join('') + this.#text).trim()}`.trim();
  }

  /** Moves finished text out of the end, which is inspected often. */
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

  #beginLink(href: string | undefined): void {
    const address = this.#resolve(href);
    // A link within the page leads nowhere from its text.
    const isElsewhere = address !== undefined && !address.startsWith(`${this.#address}#`);
    this.#link = isElsewhere ? { address, start: this.#text.length } : undefined;
  }

  #endLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (link === undefined) return;
    const label = this.#text.slice(link.start).trim();
    if (label === '' || label.includes('\n')) return;
    const space = /^\s/u.test(this.#text.slice(link.start, link.start + 1)) ? ' ' : '';
    this.#text = `${this.#text.slice(0, link.start)}${space}[${label}](${link.address})`;
  }

  #resolve(href = ''): string | undefined {
    const reference = href.trim();
    if (reference === '' || !URL.canParse(reference, this.#address)) return undefined;
    const { protocol, href: resolved } = new URL(reference, this.#address);
    return protocol === 'http:' || protocol === 'https:' ? resolved : undefined;
  }

  #breakAround(name: string): void {
    if (paragraphs.has(name)) this.#break(2, '');
    else if (lines.has(name)) this.#break(1, '');
  }

  /** Starts a new line or paragraph, without consecutive empty lines. */
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
