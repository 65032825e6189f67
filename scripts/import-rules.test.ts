import { expect, test } from 'vitest';
import { judgeCycles, judgeFile, judgeManifests } from './import-rules.mjs';
import type { Package, Workspace } from './import-rules.mjs';

const workspace: Workspace = {
  devDependencies: ['vitest'],
  packages: [
    inPackage('wire', '@parley/wire', { entries: ['packages/wire/src/index.ts'] }),
    inPackage('acp', '@parley/acp', { dependencies: ['@parley/wire'] }),
    inPackage('workspace', '@parley/workspace', { dependencies: ['@vscode/ripgrep'] }),
    inPackage('agent', '@parley/agent', { dependencies: ['@parley/acp', '@parley/workspace'] }),
    inPackage('host', '@parley/host', { dependencies: ['@parley/acp', '@parley/workspace'] }),
    inPackage('conformance', '@parley/conformance', { dependencies: ['@parley/acp'] }),
    inPackage('web', '@parley/web', { dependencies: ['@parley/host', '@parley/workspace', 'react'] }),
    inPackage('cli', 'parley-acp', { dependencies: ['commander'], devDependencies: ['@parley/host'] }),
  ],
};

test.each([
  ['down', 'packages/wire/src/a.ts', `import { Agent } from '@parley/acp';`],
  ['down', 'packages/acp/src/a.ts', `import { a } from '@parley/agent';`],
  ['down', 'packages/agent/src/node/a.ts', `import type { Host } from '@parley/host';`],
  ['down', 'packages/host/src/a.ts', `import { a } from '@parley/agent';`],
  ['down', 'packages/host/src/a.test.ts', `import { a } from '@parley/agent';`],
  ['down', 'packages/host/src/a.ts', `type A = import('@parley/agent').A;`],
  ['down', 'packages/host/src/a.ts', `export const a = await import('@parley/agent');`],
  ['down', 'packages/host/src/a.ts', `export { a } from '@parley/agent';`],
  ['neutral', 'packages/wire/src/a.ts', `import { readFile } from 'node:fs/promises';`],
  ['neutral', 'packages/acp/src/a.ts', `import { streamTransport } from '@parley/wire/node';`],
  ['neutral', 'packages/agent/src/a.ts', `import { a } from '@parley/workspace';`],
  ['neutral', 'packages/agent/src/a.ts', `import { a } from './node/a.ts';`],
  ['neutral', 'packages/web/src/a.tsx', `import path from 'node:path';`],
  ['browser', 'packages/web/src/a.ts', `import { openSession } from '@parley/host';`],
  ['builtin', 'packages/host/src/a.ts', `import { readFile } from 'fs';`],
  ['declared', 'packages/wire/src/a.ts', `import { z } from 'zod';`],
  ['declared', 'packages/host/src/a.ts', `import { test } from 'vitest';`],
  ['declared', 'packages/host/src/a.test.ts', `import { z } from 'zod/v4';`],
  ['declared', 'packages/cli/src/a.ts', `import { a } from '@parley/agent';`],
  ['by-name', 'packages/acp/src/a.ts', `import { connect } from '../../wire/src/index.ts';`],
  ['by-name', 'packages/acp/src/a.test.ts', `import { connect } from '../../wire/src/index.ts';`],
  ['by-name', 'packages/acp/src/a.ts', `import { a } from '@parley/acp';`],
  ['extension', 'packages/acp/src/a.ts', `import { a } from './b.js';`],
  ['test-only', 'packages/acp/src/a.ts', `import { a } from './b.test.ts';`],
  ['test-only', 'packages/acp/src/a.ts', `import { a } from './b.fixture.ts';`],
  ['test-only', 'packages/acp/src/a.ts', `import { a } from '../test/a.ts';`],
  ['test-only', 'packages/host/src/a.ts', `import { a } from '@parley/conformance';`],
  ['re-export', 'packages/wire/src/a.ts', `export { b } from './b.ts';`],
  ['re-export', 'packages/wire/src/a.ts', `import { b } from './b.ts'; export { b };`],
  ['export-all', 'packages/wire/src/index.ts', `export * from './b.ts';`],
  ['export-all', 'packages/wire/src/index.ts', `export * as b from './b.ts';`],
])('the rule "%s" stops in %s: %s', (rule, path, text) => {
  const found = judgeFile({ path, text }, workspace);

  expect(found.map((violation) => violation.rule)).toContain(rule);
});

test.each([
  ['packages/agent/src/a.ts', `import { isSameScope } from '@parley/workspace/rule';`],
  ['packages/web/src/a.ts', `import { ruleFields } from '@parley/workspace/rule';`],
  ['packages/wire/src/node/a.ts', `import { readFile } from 'node:fs/promises';`],
  ['packages/wire/src/a.test.ts', `import { readFile } from 'node:fs/promises';`],
  ['packages/wire/src/a.test.ts', `import { contract } from '@parley/conformance';`],
  ['packages/wire/src/index.ts', `export { b } from './b.ts';`],
  ['packages/acp/src/a.ts', `import { connect } from '@parley/wire';`],
  ['packages/host/src/a.ts', `import a from './a.json' with { type: 'json' };`],
  ['packages/acp/src/index.ts', `export * from './schema/v1/stable.ts';`],
  ['packages/acp/src/schema/v1/stable.ts', `export type { Plan } from './plan.ts';`],
  ['packages/acp/test/a.ts', `import { connect } from '@parley/acp'; import { test } from 'vitest';`],
  ['packages/agent/src/node/a.ts', `import { a } from '@parley/workspace'; import { b } from '../b.ts';`],
  ['packages/workspace/src/a.ts', `import { rgPath } from '@vscode/ripgrep';`],
  ['packages/cli/src/a.ts', `import { a } from '@parley/host'; import { Command } from 'commander';`],
  [
    'packages/web/src/a.tsx',
    `import { reduce } from '@parley/host/state'; import './a.css'; import { use } from 'react';`,
  ],
  ['packages/web/test/a.ts', `import path from 'node:path';`],
  ['packages/wire/src/a.ts', `export const text = "import { a } from '@parley/acp'";`],
])('nothing is wrong in %s with: %s', (path, text) => {
  expect(judgeFile({ path, text }, workspace)).toEqual([]);
});

test('a violation has the line of its import', () => {
  const text = `import { a } from './a.ts';\n\nimport { b } from '@parley/host';\n`;

  expect(judgeFile({ path: 'packages/agent/src/node/c.ts', text }, workspace)).toMatchObject([{ line: 3 }]);
});

test.each([
  ['no-dependency', inPackage('wire', '@parley/wire', { dependencies: ['zod'] })],
  ['down', inPackage('agent', '@parley/agent', { dependencies: ['@parley/host'] })],
  ['unplaced', inPackage('newcomer', '@parley/newcomer', {})],
])('the rule "%s" holds for manifests', (rule, manifest) => {
  const found = judgeManifests({ packages: [manifest], devDependencies: [] });

  expect(found.map((violation) => violation.rule)).toEqual([rule]);
});

test('files that import each other are one cycle, named with its files and the line of the import', () => {
  const found = judgeCycles([
    {
      path: 'packages/host/src/a.ts',
      text: `import { d } from './d.ts';\nimport { b } from './state/b.ts';`,
    },
    { path: 'packages/host/src/state/b.ts', text: `import { c } from './c.tsx';` },
    { path: 'packages/host/src/state/c.tsx', text: `import { a } from '../a.ts';` },
    { path: 'packages/host/src/d.ts', text: '' },
  ]);

  expect(found).toMatchObject([{ path: 'packages/host/src/a.ts', line: 2, rule: 'cycle' }]);
  expect(found[0]?.message).toContain(
    'packages/host/src/a.ts -> packages/host/src/state/b.ts -> packages/host/src/state/c.tsx -> packages/host/src/a.ts',
  );
});

test.each([
  ['of a type', `import type { B } from './b.ts';`],
  ['in a type', `export type B = import('./b.ts').B;`],
  ['at run time', `export const b = await import('./b.ts');`],
  ['by a re-export', `export { b } from './b.ts';`],
])('an import %s can close a cycle', (_, text) => {
  const found = judgeCycles([
    { path: 'packages/host/src/a.ts', text },
    { path: 'packages/host/src/b.ts', text: `import { a } from './a.ts';` },
  ]);

  expect(found).toHaveLength(1);
});

test('a file that imports itself is a cycle', () => {
  const found = judgeCycles([{ path: 'packages/host/src/a.ts', text: `import { a } from './a.ts';` }]);

  expect(found[0]?.message).toContain('packages/host/src/a.ts -> packages/host/src/a.ts');
});

test('two files that import a third are not a cycle', () => {
  const found = judgeCycles([
    { path: 'packages/host/src/a.ts', text: `import { b } from './b.ts'; import { c } from './c.ts';` },
    { path: 'packages/host/src/b.ts', text: `import { c } from './c.ts';` },
    { path: 'packages/host/src/c.ts', text: `import { join } from 'node:path';` },
  ]);

  expect(found).toEqual([]);
});

test('a file that imports a cycle is not part of it', () => {
  const found = judgeCycles([
    { path: 'packages/host/src/a.ts', text: `import { b } from './b.ts';` },
    { path: 'packages/host/src/b.ts', text: `import { c } from './c.ts';` },
    { path: 'packages/host/src/c.ts', text: `import { b } from './b.ts';` },
  ]);

  expect(found.map(({ path }) => path)).toEqual(['packages/host/src/b.ts']);
});

test('the generated schema may have cycles: its concepts refer to each other', () => {
  const found = judgeCycles([
    { path: 'packages/acp/src/schema/v1/a.ts', text: `import type { B } from './b.ts';` },
    { path: 'packages/acp/src/schema/v1/b.ts', text: `import type { A } from './a.ts';` },
  ]);

  expect(found).toEqual([]);
});

function inPackage(folder: string, name: string, rest: Partial<Package>): Package {
  return { folder: `packages/${folder}`, name, entries: [], dependencies: [], devDependencies: [], ...rest };
}
