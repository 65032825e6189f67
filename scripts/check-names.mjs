import { findUnexported } from './name-rules.mjs';
import { readSources, readWorkspace } from './read-workspace.mjs';

// Reports types that exports of the packages name and that are not exported themselves.

const { packages } = await readWorkspace();
const judged = packages.filter(({ entries }) => entries.length > 0);
const found = await Promise.all(
  judged.map(async ({ folder, entries }) => findUnexported(await readSources(folder), entries)),
).then((lists) => lists.flat());
for (const { path, line, name, chain } of found) {
  console.error(
    `${path}:${line} ${name} is not exported, and an export names it: ${chain.join(' -> ')}. ` +
      'Name an exported type instead, or nothing; or export it from the entry, if users have to name it',
  );
}
console.error(`${judged.length} packages, ${found.length} types that are not exported`);
if (judged.length === 0 || found.length > 0) process.exitCode = 1;
