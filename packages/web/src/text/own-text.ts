/** English texts of Parley itself, each with its translation; `{}` is a part that differs each time. */
export type OwnTexts = Readonly<Record<string, string>>;

/** Titles of tool calls of our own agent, each with its translation, by the name of the tool. */
export type OwnToolTitles = Readonly<Record<string, OwnTexts>>;

/** A text in the language of the interface, if Parley wrote it; a text of another agent stays as it is. */
export function ownText(text: string, texts: OwnTexts): string {
  if (Object.hasOwn(texts, text)) return texts[text] ?? text;
  for (const [pattern, translation] of Object.entries(texts)) {
    const parts = pattern.includes(gap) ? partsOf(text, pattern.split(gap)) : undefined;
    if (parts === undefined) continue;
    return parts.reduce((filled, part) => filled.replace(gap, () => part), translation);
  }
  return text;
}

/** A title of a tool call in the language of the interface, if our own agent has a tool of this name with such titles. */
export function ownToolTitle(name: string | undefined, title: string, titles: OwnToolTitles): string {
  return name === undefined || !Object.hasOwn(titles, name) ? title : ownText(title, titles[name] ?? {});
}

const gap = '{}';

/** What is between the fixed parts of a pattern; undefined where the text does not match it. */
function partsOf(text: string, [first = '', ...others]: readonly string[]): readonly string[] | undefined {
  const last = others.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const end = text.length - last.length;
  const parts: string[] = [];
  let from = first.length;
  for (const fixed of others) {
    const at = text.indexOf(fixed, from);
    if (at === -1) return undefined;
    parts.push(text.slice(from, at));
    from = at + fixed.length;
  }
  return from > end ? undefined : [...parts, text.slice(from, end)];
}
