/** An element, with what is in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** Reads a document of elements, attributes and text. @throws It is not well formed. */
export function parseXml(xml: string): XmlElement {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!xml.startsWith(declaration)) throw new Error('no XML declaration');
  const root = { name: '', attributes: new Map<string, string>(), children: [] as Draft[], text: '' };
  const open: Draft[] = [root];
  let rest = xml.slice(declaration.length);
  while (rest !== '') {
    const found = /^(?:([^<]+)|<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>)/u.exec(rest);
    if (found === null) throw new Error(`no markup: ${rest.slice(0, 40)}`);
    const [all, text, closed, begun, attributes = '', end] = found;
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.text += decode(text);
    else if (closed !== undefined) {
      if (open.pop()?.name !== closed) throw new Error(`</${closed}> closes another element`);
    } else if (begun !== undefined) {
      const element: Draft = { name: begun, attributes: readAttributes(attributes), children: [], text: '' };
      parent.children.push(element);
      if (end === '') open.push(element);
    }
    rest = rest.slice(all.length);
  }
  const [first] = root.children;
  if (open.length !== 1 || first === undefined || root.children.length !== 1) {
    throw new Error('no single root');
  }
  return first;
}

interface Draft {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Draft[];
  text: string;
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/ ([\w-]+)="([^"]*)"/gu)];
  const attributes = new Map(found.map(([, name = '', value = '']) => [name, decode(value)]));
  if (attributes.size !== found.length) throw new Error(`an attribute twice: ${text}`);
  return attributes;
}

function decode(text: string): string {
  if (/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(text)) {
    throw new Error('a character that XML does not have');
  }
  return text.replace(/&([^;&]*)(;?)/gu, (all, name: string, end: string) => {
    const character = end === ';' ? entities.get(name) : undefined;
    if (character === undefined) throw new Error(`${all}: no entity`);
    return character;
  });
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#10', '\n'],
]);
