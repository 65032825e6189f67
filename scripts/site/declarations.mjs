import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * @typedef {'class' | 'function' | 'constant' | 'type'} DeclarationKind
 *
 * @typedef {object} Declaration
 * @property {string} name
 * @property {DeclarationKind} kind
 * @property {string} comment Its doc comment, without the asterisks.
 * @property {string} code As the compiler declares it, without private members.
 *
 * @typedef {object} Source
 * @property {string} text
 * @property {import('oxc-parser').Program} program
 * @property {readonly import('oxc-parser').Comment[]} comments
 */

/**
 * The exports of an entry of a package, from the declarations that the compiler wrote.
 *
 * @param {string} entry A `.d.ts` file.
 * @returns {Promise<Declaration[]>} Sorted by name; an overloaded function is one of them.
 */
export async function readDeclarations(entry) {
  /** @type {Map<string, Promise<Source>>} */
  const sources = new Map();
  const load = (/** @type {string} */ file) => {
    const known = sources.get(file) ?? readSource(file);
    sources.set(file, known);
    return known;
  };
  const { program } = await load(entry);
  const names = program.body.flatMap((node) =>
    node.type === 'ExportNamedDeclaration' ? node.specifiers.map(({ exported }) => nameOf(exported)) : [],
  );
  const found = await Promise.all(names.map((name) => find(name, name, entry, load)));
  const missing = names.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) throw new Error(`No declaration of ${missing.join(', ')} found from ${entry}`);
  return found
    .filter((declaration) => declaration !== undefined)
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

/**
 * @param {string} name As it is called in this file.
 * @param {string} exported As the entry calls it.
 * @param {string} file
 * @param {(file: string) => Promise<Source>} load
 * @returns {Promise<Declaration | undefined>}
 */
async function find(name, exported, file, load) {
  const source = await load(file);
  /** @type {Declaration[]} */
  const parts = [];
  for (const node of source.program.body) {
    if (node.type === 'ExportNamedDeclaration' && node.source !== null) {
      const specifier = node.specifiers.find((candidate) => nameOf(candidate.exported) === name);
      if (specifier === undefined) continue;
      const from = node.source.value;
      if (!from.startsWith('.')) {
        const code = `export { ${exported} } from '${from}';`;
        return { name: exported, kind: 'type', comment: `Re-exported from \`${from}\`.`, code };
      }
      const target = join(dirname(file), from.replace(/\.[jt]s$/, '.d.ts'));
      return find(nameOf(specifier.local), exported, target, load);
    }
    if (node.type === 'ExportAllDeclaration' && node.source.value.startsWith('.')) {
      const target = join(dirname(file), node.source.value.replace(/\.[jt]s$/, '.d.ts'));
      const further = await find(name, exported, target, load);
      if (further !== undefined) return further;
    }
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    const kind = declared === null ? undefined : kindOf(declared, name);
    if (kind === undefined) continue;
    const code = source.text
      .slice(node.start, node.end)
      .replace(/^export /, '')
      .replace(/^declare /, '');
    parts.push({
      name: exported,
      kind,
      comment: commentBefore(node.start, source),
      code: withoutPrivate(code),
    });
  }
  const first = parts.at(0);
  if (first === undefined) return undefined;
  return {
    ...first,
    comment: parts.find(({ comment }) => comment !== '')?.comment ?? '',
    code: parts.map(({ code }) => code).join('\n'),
  };
}

/**
 * @param {import('oxc-parser').Statement | import('oxc-parser').Declaration | import('oxc-parser').Directive} node
 * @param {string} name
 * @returns {DeclarationKind | undefined} Nothing for another name.
 */
function kindOf(node, name) {
  if (node.type === 'VariableDeclaration') {
    return node.declarations.some(({ id }) => id.type === 'Identifier' && id.name === name)
      ? 'constant'
      : undefined;
  }
  if (!('id' in node) || node.id?.type !== 'Identifier' || node.id.name !== name) return undefined;
  if (node.type === 'ClassDeclaration') return 'class';
  if (node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction') return 'function';
  return 'type';
}

/**
 * @param {number} start
 * @param {Source} source
 */
function commentBefore(start, { text, comments }) {
  const comment = comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === '');
  if (comment?.value.startsWith('*') !== true) return '';
  return comment.value
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
}

/**
 * Members that only the compiler needs.
 *
 * @param {string} code
 */
function withoutPrivate(code) {
  return code.replace(/^ +(?:#private|private .*);\n/gm, '');
}

/**
 * @param {string} file
 * @returns {Promise<Source>}
 */
async function readSource(file) {
  const text = await readFile(file, 'utf8');
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  return { text, program, comments };
}

/** @param {import('oxc-parser').ModuleExportName} name */
function nameOf(name) {
  return name.type === 'Literal' ? name.value : name.name;
}
