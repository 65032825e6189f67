import { readFile } from 'node:fs/promises';
import { ruleFieldNames, ruleFields, toolField } from '@parley/workspace/rule';
import { expect, test } from 'vitest';

test('the README describes each rule field as the table of fields does', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');

  const rows = [...readme.matchAll(/^\| `(?<field>\w+)` +\| (?<help>.+?) +\|$/gmu)].map(({ groups = {} }) => [
    groups['field'],
    groups['help'],
  ]);

  const wanted = ruleFieldNames.map((field) => [field, ruleFields[field].help]);
  const start = rows.findIndex(([field]) => field === 'tool');
  expect(rows.slice(start, start + wanted.length + 1)).toEqual([['tool', toolField.help], ...wanted]);
});
