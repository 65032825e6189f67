/**
 * @typedef {object} Example
 * @property {number} line Where it begins in its document, from 1.
 * @property {string} code With empty lines before it, so that its lines have the numbers of the document.
 */

const examplePattern = /^(?:<!-- given\n(?<given>[\s\S]*?)-->\n\n?)?```ts\n(?<code>[\s\S]*?)^```$/gm;

/**
 * The TypeScript that a document shows. What an example takes for given, readers need not see: it is in a comment before it.
 *
 * @param {string} document
 * @returns {Example[]}
 */
export function examplesIn(document) {
  return [...document.matchAll(examplePattern)].map(({ 0: whole, index, groups = {} }) => {
    const { given = '', code = '' } = groups;
    const kept = `${'\n'.repeat(whole.startsWith('<!--') ? 1 : 0)}${given}`;
    const gap = linesIn(whole) - linesIn(kept) - linesIn(code);
    const before = linesIn(document.slice(0, index));
    return {
      line: before + 1,
      code: `${'\n'.repeat(before)}${kept}${'\n'.repeat(gap)}${code}`,
    };
  });
}

/**
 * The code blocks of a language that a document shows, indented ones left out.
 *
 * @param {string} document
 * @param {string} language
 * @returns {string[]}
 */
export function blocksIn(document, language) {
  const pattern = new RegExp(`^\`\`\`${language}\\n(?<code>[\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...document.matchAll(pattern)].map(({ groups = {} }) => groups['code'] ?? '');
}

/** @param {string} text */
function linesIn(text) {
  return text.split('\n').length - 1;
}
