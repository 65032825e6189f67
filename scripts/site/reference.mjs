/**
 * @typedef {import('./declarations.mjs').Declaration} Declaration
 *
 * @typedef {object} Entry
 * @property {string} specifier As it is imported.
 * @property {string} page Below the root of the site, without an extension.
 * @property {readonly Declaration[]} declarations
 */

/** @type {readonly (readonly [import('./declarations.mjs').DeclarationKind, string])[]} */
const sections = [
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['constant', 'Constants'],
  ['type', 'Types'],
];

/**
 * The page of one entry of a package.
 *
 * @param {Entry} entry
 * @returns {string} Markdown.
 */
export function referencePage({ specifier, declarations }) {
  const parts = sections.flatMap(([kind, title]) => {
    const chosen = declarations.filter((declaration) => declaration.kind === kind);
    return chosen.length === 0 ? [] : [`## ${title}`, ...chosen.map(declarationText)];
  });
  return [`# \`${specifier}\``, `\`\`\`ts\nimport { … } from '${specifier}';\n\`\`\``, ...parts, ''].join(
    '\n\n',
  );
}

/**
 * The list of all entries.
 *
 * @param {readonly Entry[]} entries
 * @returns {string} Markdown.
 */
export function referenceIndex(entries) {
  const rows = entries.map(
    ({ specifier, page, declarations }) => `| [\`${specifier}\`](/${page}) | ${declarations.length} |`,
  );
  return [
    '# API reference',
    '',
    'Generated from the doc comments of the packages. The README of each package explains how its parts work together.',
    '',
    '| Entry | Exports |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** @param {Declaration} declaration */
function declarationText({ name, comment, code }) {
  const text = toMarkdown(comment);
  return [`### ${name}`, ...(text === '' ? [] : [text]), `\`\`\`ts\n${code}\n\`\`\``].join('\n\n');
}

/**
 * A doc comment as Markdown: links become code, tags become lists and paragraphs.
 *
 * @param {string} comment
 */
function toMarkdown(comment) {
  return comment
    .replace(/\{@link ([^}\s|]+)[^}]*\}/g, '`$1`')
    .replace(/^@param (\w+) (?:- )?/gm, '- `$1`: ')
    .replace(/^@returns /gm, '\nReturns ')
    .replace(
      /^@throws (?:\{(\w+)\} )?/gm,
      (_, name) => `\nThrows ${name === undefined ? '' : `\`${name}\`: `}`,
    )
    .replace(/@default (.+)$/gm, '\nDefault: `$1`')
    .replace(/^@(\w+) ?/gm, '\n**$1** ')
    .replace(/`[^`\n]*`|[<>{]/g, (found) => escapes[found] ?? found);
}

/** What the site would take for its own markup. @type {Readonly<Record<string, string>>} */
const escapes = { '<': '&lt;', '>': '&gt;', '{': '&#123;' };
