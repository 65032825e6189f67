import { parseSync, Visitor } from 'oxc-parser';

/**
 * @typedef {object} RetiredWord
 * @property {string} word A regular expression for whole words; a space also matches a line break in a comment.
 * @property {string} write What to write instead.
 * @property {string} why
 * @property {string} [path] A regular expression for the files that it is retired in. Without it: all.
 * @property {readonly TextKind[]} [in] The kinds of text that it is retired in. Without it: all text, tests included.
 *
 * @typedef {'documents' | 'comments' | 'messages'} TextKind Markdown; doc comments; strings with a space in TypeScript, and JSON.
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
  const whole = { name: splitIdentifiers(without(path)), body: splitIdentifiers(without(text)) };
  /** @type {Map<TextKind, string>} */
  const kinds = new Map();
  const textOf = (/** @type {RetiredWord} */ { in: wanted }) =>
    wanted === undefined
      ? [whole]
      : wanted.map((kind) => {
          const only = kinds.get(kind) ?? without(onlyKind(kind, path, text));
          kinds.set(kind, only);
          return { name: '', body: only };
        });
  return retired
    .filter((word) => word.path === undefined || new RegExp(word.path).test(path))
    .flatMap((entry) => textOf(entry).map((part) => ({ ...entry, ...part })))
    .flatMap(({ word, write, why, name, body }) => {
      // Lookarounds, not \b: a phrase may end in punctuation.
      const expression = new RegExp(
        `(?<!\\w)(?:${word.replaceAll(' ', String.raw`[\s*/#>]+`)})(?!\\w)`,
        'gi',
      );
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

const sources = /^packages\/\w+\/src\/(?!schema\/v1\/).*\.tsx?$/;
const data =
  /\.(?:test|fixture|gallery)\.tsx?$|^packages\/conformance\/src\/(?:command-lines|faulty-agent|hostile-actions)/;

/**
 * The text with everything but one kind blanked out, so that lines keep their numbers.
 *
 * @param {TextKind} kind
 * @param {string} path
 * @param {string} text
 */
function onlyKind(kind, path, text) {
  if (kind === 'documents') return path.endsWith('.md') ? text : '';
  if (kind === 'messages' && /catalogue\/.*\.json$/.test(path)) return text;
  if (!sources.test(path) || data.test(path)) return '';
  const ranges = kind === 'comments' ? commentRanges(text) : messageRanges(path, text);
  let rest = 0;
  let only = '';
  for (const { start, end } of ranges) {
    only += `${blank(text.slice(rest, start))}${text.slice(start, end)}`;
    rest = end;
  }
  return only + blank(text.slice(rest));
}

/** @typedef {{ readonly start: number, readonly end: number }} Range */

/**
 * @param {string} text
 * @returns {Range[]}
 */
function commentRanges(text) {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}

/**
 * Strings and parts of templates with a space in them.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Range[]}
 */
function messageRanges(path, text) {
  /** @type {Range[]} */
  const found = [];
  const add = (/** @type {Range} */ { start, end }) => {
    if (text.slice(start, end).trim().includes(' ')) found.push({ start, end });
  };
  new Visitor({
    Literal: (node) => typeof node.value === 'string' && add(node),
    TemplateElement: add,
  }).visit(parseSync(path, text).program);
  return found.toSorted((one, other) => one.start - other.start);
}

/** @param {string} text */
function blank(text) {
  return text.replace(/[^\n]/g, ' ');
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
