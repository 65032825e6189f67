import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const here = 'packages/agent/test/field-reference';

test('docs/agent.md has each section of source document 001, and the tests it names', async () => {
  const page = await readFile(join(root, 'docs/agent.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (C\.\d+) +\|[^\n]*\| ([^|\n]*)\|$/gmu)];
  const promises = rows.slice(
    0,
    rows.findIndex(([line]) => line.includes('`clientCapabilities` is required')),
  );
  const sections = new Set(promises.map(([, section]) => section));
  expect([...sections]).toEqual(Array.from({ length: 12 }, (_, index) => `C.${String(index + 1)}`));

  const files = (await readdir(join(root, here))).filter((name) => name.endsWith('.test.ts'));
  const own = files.map((name) => join(here, name)).filter((path) => !path.includes('documented'));
  const others = [...page.matchAll(/`(packages\/[\w/-]+\.test\.ts)`/gu)].map(([, path = '']) => path);
  const texts = await Promise.all([...own, ...others].map((path) => readFile(join(root, path), 'utf8')));
  const names = promises.flatMap(([, , cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name),
  );
  expect(names.length).toBeGreaterThan(30);
  for (const name of names.filter((each) => !each.startsWith('packages/'))) {
    expect(
      texts.some((text) => text.includes(name)),
      name,
    ).toBe(true);
  }
});
