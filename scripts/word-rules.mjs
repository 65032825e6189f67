/**
 * @typedef {object} RetiredWord
 * @property {string} word A regular expression for whole words; a space also matches a line break in a comment.
 * @property {string} write What to write instead.
 * @property {string} why
 *
 * @typedef {object} Exception
 * @property {string} text A regular expression; what it matches is not judged.
 * @property {string} why
 * @property {string} [path] A regular expression for the files that it holds for. Without it: all.
 *
 * @typedef {object} PathRule
 * @property {string} path A file, or a folder that ends in a slash.
 * @property {string} why
 *
 * @typedef {object} WordList
 * @property {readonly RetiredWord[]} retired
 * @property {readonly Exception[]} exceptions
 * @property {readonly PathRule[]} ignored Files that are not ours to word, or that record the past.
 *
 * @typedef {object} SourceText
 * @property {string} path Below the root, with slashes.
 * @property {string} text
 *
 * @typedef {object} Finding
 * @property {string} path
 * @property {number} line 0 for the path itself.
 * @property {string} found
 * @property {string} write
 * @property {string} why
 */

/**
 * Whether the word list applies to a file.
 *
 * @param {string} path
 * @param {WordList} list
 */
export function isJudged(path, { ignored }) {
  return ignored.every((rule) =>
    rule.path.endsWith('/') ? !path.startsWith(rule.path) : path !== rule.path,
  );
}

/**
 * Finds the retired words in a file and in its path: in prose, in strings and in the parts of identifiers.
 *
 * @param {SourceText} file
 * @param {WordList} list
 * @returns {Finding[]}
 */
export function judgeWords({ path, text }, { retired, exceptions }) {
  const without = (/** @type {string} */ content) =>
    exceptions
      .filter((exception) => exception.path === undefined || new RegExp(exception.path).test(path))
      .reduce(
        (rest, exception) =>
          rest.replace(new RegExp(exception.text, 'gm'), (match) => match.replace(/\S/g, '·')),
        content,
      );
  const name = splitIdentifiers(without(path));
  const body = splitIdentifiers(without(text));
  return retired
    .flatMap(({ word, write, why }) => {
      const expression = new RegExp(`\\b(?:${word.replaceAll(' ', String.raw`[\s*/#>]+`)})\\b`, 'gi');
      return [
        ...[...name.matchAll(expression)].map(([found]) => ({ path, line: 0, found, write, why })),
        ...[...body.matchAll(expression)].map(({ 0: found, index }) => ({
          path,
          line: body.slice(0, index).split('\n').length,
          found: found.replace(/[\s*/#>]+/g, ' '),
          write,
          why,
        })),
      ];
    })
    .toSorted((one, other) => one.line - other.line);
}

/**
 * `openHub`, `open_hub` and `HTTPHub` become separate words; the line breaks stay.
 *
 * @param {string} text
 */
function splitIdentifiers(text) {
  return text
    .replaceAll('_', ' ')
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ');
}
