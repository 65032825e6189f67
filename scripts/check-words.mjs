import { readFile } from 'node:fs/promises';
import { listFiles } from './list-files.mjs';
import { isJudged, judgeWords } from './word-rules.mjs';

// Reports retired words (words.json) in documents, comments, messages, test names, identifiers and paths.

const root = new URL('..', import.meta.url);

/** @type {import('./word-rules.mjs').WordList} */
const list = JSON.parse(await readFile(new URL('words.json', import.meta.url), 'utf8'));
const only = process.argv.slice(2);
const files = (await listFiles()).filter((path) =>
  only.length === 0 ? isJudged(path, list) : only.some((prefix) => path.startsWith(prefix)),
);
const findings = await Promise.all(
  files.map(async (path) => {
    const bytes = await readFile(new URL(path, root)).catch(() => Buffer.of(0)); // Deleted, not yet committed.
    const text = bytes.includes(0) ? '' : bytes.toString();
    return judgeWords({ path, text }, list);
  }),
).then((found) => found.flat());
for (const { path, line, found, write, why } of findings) {
  console.error(`${line === 0 ? path : `${path}:${line}`} "${found}": write ${write} (${why})`);
}
console.error(`${files.length} files, ${findings.length} retired words`);
if (files.length === 0 || findings.length > 0) process.exitCode = 1;
