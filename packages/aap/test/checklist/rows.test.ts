import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const packages = ['aap', 'gateway'].map((name) => new URL(`../../../${name}/`, import.meta.url));

test('each row of the checklist of AAP has a test that is named by its number', () => {
  const tested = new Set(
    packages
      .flatMap((folder) => ['src', 'test'].map((part) => new URL(`${part}/`, folder)))
      .flatMap((folder) => testFilesIn(folder))
      .flatMap((file) => rowsIn(readFileSync(file, 'utf8'))),
  );
  const all = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(all.filter((row) => !tested.has(row))).toEqual([]);
});

function testFilesIn(folder: URL): readonly URL[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('rows.test.ts'))
    .map((path) => new URL(path, folder));
}

/** `row 12: …`, `row 45, 47: …`, and `row 60` of a group. */
function rowsIn(text: string): readonly number[] {
  return [...text.matchAll(/['"]row (\d+(?:, \d+)*)/g)].flatMap(([, rows = '']) =>
    rows.split(', ').map(Number),
  );
}
