/**
 * Whether a block of Markdown is one paragraph of prose: rendered, it is its own text. Each line starts with a letter, a quotation mark or an opening
 * parenthesis, and has no character that means something in Markdown. Links that are recognized without brackets count as such, too.
 */
export function isProse(block: string): boolean {
  const text = block.trimEnd();
  return prose.test(text) && !meaning.test(text);
}

const prose =
  /^(?:["“‘「《(（]?\p{L}[\p{L}\p{M}\p{N} ,.;:'"()?!%$€/“”‘’…–—，。、；：？！「」《》（）-]*(?:\n|$))+$/u;

/** Beginnings of links, and a space at the end of a line. */
const meaning = /:\/\/|www\.| \n/iu;
