import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

test('docs/complaints.md has each complaint once, and the tests it names are there', () => {
  const rows = [...read('docs/complaints.md').matchAll(/^\| (\d+) +\|.*\|([^|]*)\|$/gm)];
  const names = rows.flatMap(([, , cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  const tests = readdirSync(fileURLToPath(new URL('packages', root)), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map((path) => read(`packages/${path}`));

  expect(rows.map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !tests.some((text) => text.includes(`'${name}'`)))).toEqual([]);
});

test('each of the 27 deviations has a test that is named after it', () => {
  const deviations = read('packages/host/test/deviations.test.ts');
  const ids = [
    ...Array.from({ length: 9 }, (_, index) => `S${index + 1}`),
    ...Array.from({ length: 18 }, (_, index) => `C${index + 1}`),
  ];

  expect(ids.filter((id) => !new RegExp(`\\btest\\b[^;]*?['"]${id}\\b`, 's').test(deviations))).toEqual([]);
});
