import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { buildWeb } from './build-web.mjs';
import { judgePage } from './web-rules.mjs';

// Reports what makes the first load of the web interface larger than it may be, or active in ways that its policy forbids.

/** What a phone on a poor line waits for before it shows anything. */
const maxBytes = 100_000;

const folder = await buildWeb();
const html = await readFile(join(folder, 'index.html'), 'utf8');
const { files, problems } = judgePage(html);
const sizes = await Promise.all(['index.html', ...files].map(measure));
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
for (const { name, bytes } of sizes) console.error(`${String(bytes).padStart(7)} ${name}`);
console.error(`${String(total).padStart(7)} bytes of first load, compressed by gzip`);
if (total > maxBytes) {
  problems.push(`the first load has ${total} bytes, more than ${maxBytes}: load parts of it later`);
}
for (const problem of problems) console.error(problem);
if (files.length === 0 || problems.length > 0) process.exitCode = 1;

/** @param {string} name */
async function measure(name) {
  const bytes = await readFile(join(folder, name));
  const compressed = await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });
  return { name, bytes: compressed.byteLength };
}
