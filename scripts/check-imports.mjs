import { judgeCycles, judgeFile, judgeManifests } from './import-rules.mjs';
import { readSources, readWorkspace } from './read-workspace.mjs';

// Reports what breaks the import rules of ARCHITECTURE.md.

const workspace = await readWorkspace();
const files = (await Promise.all(workspace.packages.map(({ folder }) => readSources(folder)))).flat();
const violations = [
  ...judgeManifests(workspace),
  ...files.flatMap((file) => judgeFile(file, workspace)),
  ...judgeCycles(files),
];
for (const { path, line, rule, message } of violations) console.error(`${path}:${line} ${message} [${rule}]`);
console.error(`${files.length} files, ${violations.length} violations`);
if (files.length === 0 || violations.length > 0) process.exitCode = 1;
