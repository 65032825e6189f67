/**
 * The visible text of an HTML page, with headings, lists and links as Markdown writes them.
 *
 * @param address Where the page is from; its links are resolved against it.
 */
export function htmlToText(html: string, address: string): string {
  const page = new PageText(address);
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
  #address: string;

  constructor(address: string) {
    this.#address = address;
  }

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
    if (plain === 'base' && !isEnd) this.#address = this.#resolve(tag) ?? this.#address;
    else if (plain === 'title') this.#isTitle = !isEnd;
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
      const address = this.#resolve(tag);
      // A place on the same page is none to go to.
      if (address !== undefined && !address.startsWith(`${this.#address}#`)) {
        this.#link = { address, start: this.#text.length };
      }
      return;
    }
    if (link === undefined) return;
    const label = this.#text.slice(link.start).trim();
    if (label === '' || label.includes('\n')) return;
    const space = /^\s/u.test(this.#text.slice(link.start, link.start + 1)) ? ' ' : '';
    this.#text = `${this.#text.slice(0, link.start)}${space}[${label}](${link.address})`;
  }

  #resolve(tag: string): string | undefined {
    const found = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/iu.exec(tag);
    const reference = decode(found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim();
    if (reference === '' || !URL.canParse(reference, this.#address)) return undefined;
    const { protocol, href } = new URL(reference, this.#address);
    return protocol === 'http:' || protocol === 'https:' ? href : undefined;
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

/** The names of the characters from U+00A0 to U+00FF, in their order. */
const latinNames =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';

const entities: ReadonlyMap<string, string> = new Map([
  ...latinNames.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
  ['nbsp', ' '],
  // Where a word may be divided: nothing to be seen.
  ['shy', ''],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['bull', '•'],
  ['rarr', '→'],
  ['larr', '←'],
  ['euro', '€'],
  ['trade', '™'],
  ['le', '≤'],
  ['ge', '≥'],
  ['ne', '≠'],
]);

function decode(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,7}));/giu,
    (whole, decimal, hex, name) => {
      if (typeof name === 'string') return entities.get(name) ?? entities.get(name.toLowerCase()) ?? whole;
      const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
