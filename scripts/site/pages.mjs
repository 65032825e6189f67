import { posix } from 'node:path';

/** The documents at the root of the repository that the site has, and their pages. @type {Readonly<Record<string, string>>} */
const rootPages = {
  'ARCHITECTURE.md': 'architecture.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'LIMITS.md': 'limits.md',
  'README.md': 'readme.md',
  'SECURITY.md': 'security.md',
};

/**
 * The page of a document, for instance `docs/web.md` → `web.md`.
 *
 * @param {string} path Below the root of the repository.
 * @returns {string | undefined} Nothing for a document that the site does not have.
 */
export function pageOf(path) {
  if (path === 'docs/limits.md') return 'all-limits.md';
  const document = /^docs\/(?<folder>zh\/|decisions\/)?(?<name>[\w-]+)\.md$/.exec(path)?.groups;
  if (document !== undefined) {
    return `${document['folder'] ?? ''}${document['name'] === 'start' ? 'index' : document['name']}.md`;
  }
  const library = /^packages\/(?<name>\w+)\/README\.md$/.exec(path)?.groups?.['name'];
  return library === undefined ? rootPages[path] : `packages/${library}.md`;
}

/**
 * A document as a page of the site: its links lead to pages and pictures of the site. Links to files that the site does not
 * have become plain text.
 *
 * @param {{ readonly path: string, readonly text: string }} document
 */
export function toPage({ path, text }) {
  return text
    .split(/^( *```[\s\S]*?^ *```.*$)/m)
    .map((part, index) => (index % 2 === 1 ? part : withLinks(part, path)))
    .join('')
    .replace(/<!--[\s\S]*?-->\n*/g, '');
}

/**
 * @param {string} prose
 * @param {string} path
 */
function withLinks(prose, path) {
  return prose.replace(
    /(?<picture>!?)\[(?<label>(?:[^\]`]|`[^`]*`)*)\]\((?<target>[^)\s]+)\)/g,
    (whole, picture, label, target) => {
      if (/^(?:[a-z]+:|#)/.test(target)) return whole;
      const link = siteLink(target, path);
      return link === undefined ? label : `${picture}[${label}](${link})`;
    },
  );
}

/**
 * @param {string} target
 * @param {string} path
 */
function siteLink(target, path) {
  const file = target.replace(/#.*/, '');
  const anchor = target.slice(file.length);
  const goal = posix.join(posix.dirname(path), file).replace(/\/$/, '');
  if (goal.startsWith('docs/images/')) return goal.slice('docs'.length);
  if (goal === 'docs/decisions') return '/architecture#decisions';
  const page = pageOf(goal) ?? pageOf(`${goal}/README.md`);
  if (page === undefined) return undefined;
  return `/${page.replace(/(?:(?<=^|\/)index)?\.md$/, '')}${anchor}`;
}
