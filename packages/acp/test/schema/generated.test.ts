import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { findClearingFields } from './clearing-field.ts';
import { readOfficialSchema } from './official-schema.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const generator = path.join(root, 'scripts/generate/main.mjs');
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test('the files are what the generator writes from the official schema', () => {
  const { status, stderr } = spawnSync(process.execPath, [generator, '--check'], { encoding: 'utf8' });

  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('a file that was changed, added or removed is stale, and stays as it is', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-stale-'));
  folders.push(folder);
  cpSync(path.join(root, 'packages/acp/src/schema'), folder, { recursive: true });
  writeFileSync(path.join(folder, 'v1/content.ts'), 'export {};\n');
  writeFileSync(path.join(folder, 'v1/extra.ts'), 'export {};\n');
  rmSync(path.join(folder, 'v1/unstable/plan.ts'));
  const check = (): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, [generator, '--check', '--into', folder], { encoding: 'utf8' });

  const { status, stderr } = check();

  const stale = stderr
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('\\', '/').replace(/.*v1/, 'v1'));
  expect(status).toBe(1);
  expect(stale).toEqual(['v1/content.ts', 'v1/extra.ts', 'v1/unstable/plan.ts']);
  expect(check().stderr).toBe(stderr);
});

test('the fields that null clears are those of which the official schema says so', async () => {
  const names: unknown = await import(path.join(root, 'scripts/generate/names.mjs'));

  const found = findClearingFields(readOfficialSchema('unstable'));

  expect(names).toHaveProperty('nullClears', found);
});
