import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { judgeDocument } from './document-rules.mjs';
import { listFiles } from './list-files.mjs';

// Reports links, paths and commands in the documents that lead nowhere.

const root = new URL('..', import.meta.url);

const files = await listFiles();
const documents = new Map(
  await Promise.all(
    files
      .filter((path) => path.endsWith('.md'))
      .map(
        async (path) =>
          /** @type {const} */ ([path, { path, text: await readFile(new URL(path, root), 'utf8') }]),
      ),
  ),
);
/** @type {{ readonly scripts: Readonly<Record<string, string>> }} */
const manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
const repository = {
  documents,
  paths: new Set(files.flatMap(withFolders)),
  scripts: new Set(Object.keys(manifest.scripts)),
};
const problems = [...documents.values()].flatMap((document) => judgeDocument(document, repository));
for (const problem of problems) console.error(problem);
console.error(`${documents.size} documents, ${problems.length} problems`);
if (documents.size === 0 || problems.length > 0) process.exitCode = 1;

/**
 * @param {string} path
 * @returns {string[]}
 */
function withFolders(path) {
  const folder = posix.dirname(path);
  return folder === '.' ? [path] : [path, ...withFolders(folder)];
}
