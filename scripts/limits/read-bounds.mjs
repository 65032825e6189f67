import { readFile } from 'node:fs/promises';
import { parseSync } from 'oxc-parser';

/**
 * @typedef {object} Bound
 * @property {string} name Its constant, or the option for a member of a set of defaults.
 * @property {number} value
 * @property {string} comment The first paragraph of its doc comment; empty without one.
 * @property {string} file Below the root of the repository.
 * @property {string} [set] The constant that has the defaults of an option `limits`.
 */

/** Names of constants that bound something: an amount, a size or a time. */
const boundName =
  /^(?:most|max|longest|largest|fewest|least|kept|shown)[A-Z]|(?:Ms|Seconds|Bytes|Chars|Characters|Length|Limit|AtOnce|Tries|Rounds|Depth)$/;

/**
 * The bounds that a file of a package declares: constants whose name says so, and the members of defaults such as
 * `defaultLimits`. In a file `limits.ts`, each numeric constant is one.
 *
 * @param {string} file Below the root of the repository.
 * @param {string} text
 * @returns {Bound[]}
 */
export function boundsIn(file, text) {
  const { program, comments } = parseSync(file, text);
  const commentAt = (/** @type {number} */ start) => {
    const found = comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === '');
    return found?.value.startsWith('*') === true ? toSentence(found.value) : '';
  };
  /** @type {Map<string, string>} */
  const members = new Map();
  /** @type {Bound[]} */
  const bounds = [];
  for (const statement of program.body) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (node?.type === 'TSInterfaceDeclaration') {
      for (const member of node.body.body) {
        if (member.type === 'TSPropertySignature' && member.key.type === 'Identifier') {
          members.set(`${node.id.name}.${member.key.name}`, commentAt(member.start));
        }
      }
    }
    if (node?.type !== 'VariableDeclaration' || node.kind !== 'const') continue;
    for (const { id, init } of node.declarations) {
      if (id.type !== 'Identifier' || init === null) continue;
      const value = valueOf(init);
      const annotation = id.typeAnnotation ?? undefined;
      const type =
        annotation === undefined ? '' : text.slice(annotation.start, annotation.end).replace(/^: /, '');
      if (value !== undefined && (boundName.test(id.name) || file.endsWith('/limits.ts'))) {
        bounds.push({ name: id.name, value, comment: commentAt(statement.start), file });
      }
      const object = init.type === 'TSAsExpression' ? init.expression : init;
      if (object.type !== 'ObjectExpression' || !/[lL]imits$/.test(id.name)) continue;
      for (const property of object.properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
        const amount = valueOf(property.value);
        if (amount === undefined) continue;
        const { name } = property.key;
        const said = members.get(`${type}.${name}`) ?? commentAt(property.start);
        bounds.push({ name, value: amount, comment: said, file, set: id.name });
      }
    }
  }
  return bounds;
}

/**
 * @param {string} root
 * @param {readonly string[]} files
 * @returns {Promise<Bound[]>} Those of all packages, in the order of the files.
 */
export async function readBounds(root, files) {
  const sources = files.filter(
    (path) =>
      /^packages\/\w+\/src\/.*\.tsx?$/.test(path) && !/\.test\.|\.fixture\.|\/schema\/v1\//.test(path),
  );
  const found = await Promise.all(
    sources.toSorted().map(async (path) => boundsIn(path, await readFile(`${root}/${path}`, 'utf8'))),
  );
  return found.flat();
}

/**
 * The value of an expression of numbers, such as `64 * 1024`.
 *
 * @param {import('oxc-parser').Expression} node
 * @returns {number | undefined}
 */
function valueOf(node) {
  if (node.type === 'Literal') return typeof node.value === 'number' ? node.value : undefined;
  if (node.type === 'ParenthesizedExpression') return valueOf(node.expression);
  if (node.type !== 'BinaryExpression' || node.left.type === 'PrivateIdentifier') return undefined;
  const left = valueOf(node.left);
  const right = valueOf(node.right);
  if (left === undefined || right === undefined) return undefined;
  if (node.operator === '*') return left * right;
  if (node.operator === '**') return left ** right;
  if (node.operator === '+') return left + right;
  return undefined;
}

/** @param {string} comment */
function toSentence(comment) {
  return comment
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .replace(/ @\w.*$/, '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .trim();
}
