import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { directImports } from './direct-imports.mjs';

const files = {
  'low/index.ts': "export { one } from './one.ts';\nexport * from './more.ts';\n",
  'low/one.ts': "export const one = 'one';\n",
  'low/more.ts': "export { inner as two } from './two.ts';\nexport type Three = 3;\n",
  'low/two.ts': "export const inner = 'two';\n",
  'high/deep.ts': "export { one as first } from '@parley/low';\nexport { gone } from 'elsewhere';\n",
  'main.ts': `import { first as renamed, gone } from '@parley/high/deep';
import {
  two,
  type Three,
} from '@parley/low';
import { other } from 'elsewhere';

export const three: Three = 3;
export const all = [renamed, two, gone, other];
export const line = new Error().stack;
`,
};

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-direct-imports-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
});

afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

test('a module imports from the files that define the names, and its lines stay', async () => {
  const imported: Record<string, readonly string[]> = {};
  const bundle = await rolldown({
    cwd: root,
    input: join(root, 'main.ts'),
    external: ['elsewhere', '@parley/low'],
    plugins: [
      directImports(
        new Map([
          ['@parley/low', join(root, 'low', 'index.ts')],
          ['@parley/high/deep', join(root, 'high', 'deep.ts')],
        ]),
      ),
      {
        name: 'look',
        moduleParsed: ({ id, importedIds, code }) => {
          imported[id.slice(root.length + 1)] = importedIds.map((each) => each.replace(`${root}/`, ''));
          if (id.endsWith('main.ts')) expect(code?.split('\n')[8]).toContain('all');
        },
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();

  expect(imported).toEqual({
    'main.ts': ['low/one.ts', 'high/deep.ts', 'low/two.ts', 'elsewhere'],
    'low/one.ts': [],
    'low/two.ts': [],
    'high/deep.ts': expect.any(Array) as unknown,
  });
  expect(output[0].code).toContain('from "elsewhere"');
});
