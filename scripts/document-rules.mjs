import { posix } from 'node:path';

/**
 * @typedef {object} Document
 * @property {string} path Below the root, with slashes.
 * @property {string} text
 *
 * @typedef {object} Repository
 * @property {ReadonlySet<string>} paths The files and folders below the root, with slashes.
 * @property {ReadonlyMap<string, Document>} documents By path.
 * @property {ReadonlySet<string>} scripts Those of the root package.json.
 */

/**
 * What a document says of the repository that is not so: links, paths and npm scripts.
 *
 * @param {Document} document
 * @param {Repository} repository
 * @returns {string[]}
 */
export function judgeDocument(document, repository) {
  const prose = withoutCode(document.text);
  return [
    ...[...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) =>
      judgeLink(target, document, repository),
    ),
    ...[...document.text.matchAll(/`((?:packages|docs|scripts|bench)\/[\w./-]+)`/g)].flatMap(
      ([, path = '']) =>
        repository.paths.has(path.replace(/\/$/, '')) ? [] : [`${document.path}: there is no ${path}`],
    ),
    ...[...document.text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g)].flatMap(
      ([, script = '']) =>
        repository.scripts.has(script) ? [] : [`${document.path}: there is no script ${script}`],
    ),
  ];
}

/**
 * @param {string} target
 * @param {Document} document
 * @param {Repository} repository
 * @returns {string[]}
 */
function judgeLink(target, document, { paths, documents }) {
  if (/^[a-z]+:/.test(target)) return [];
  const [file = '', anchor] = target.split('#');
  const path =
    file === '' ? document.path : posix.join(posix.dirname(document.path), file).replace(/\/$/, '');
  if (!paths.has(path)) return [`${document.path}: the link ${target} leads nowhere`];
  const other = documents.get(path);
  if (anchor === undefined || other === undefined || anchorsOf(other.text).has(anchor)) return [];
  return [`${document.path}: ${path} has no heading #${anchor}`];
}

/** @param {string} text */
function anchorsOf(text) {
  const headings = [...withoutFences(text).matchAll(/^#+ (.+)$/gm)];
  return new Set(headings.map(([, heading = '']) => toAnchor(heading)));
}

/**
 * The anchor of a heading, as GitHub makes it.
 *
 * @param {string} heading
 */
export function toAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** @param {string} text */
function withoutCode(text) {
  return withoutFences(text).replace(/`[^`\n]*`/g, '');
}

/**
 * A document without its code blocks.
 *
 * @param {string} text
 */
function withoutFences(text) {
  return text.replace(/^( *)(```|~~~).*\n[\s\S]*?^\1\2.*$/gm, '');
}
