import { appendFile, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AuditEntry } from './audit-entry.ts';
import { openAuditLog } from './audit-log.ts';

const mebibyte = 1024 * 1024;

test('the audit log never takes more than 128 MiB, and the oldest file goes first', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-audit-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (let number = 1; number <= 16; number += 1) {
    const file = join(directory, `${String(number).padStart(8, '0')}.log`);
    await writeFile(file, '');
    await truncate(file, 8 * mebibyte - 1);
    await appendFile(file, '\n');
  }
  const failures: unknown[] = [];
  const log = openAuditLog({ directory, onFailure: (error) => failures.push(error) });

  await log.add(entry);

  const names = (await readdir(directory)).filter((name) => name.endsWith('.log')).toSorted();
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
  expect(failures).toEqual([]);
  expect(names).toHaveLength(16);
  expect([names[0], names.at(-1)]).toEqual(['00000002.log', '00000017.log']);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(128 * mebibyte);
});

const entry: AuditEntry = {
  time: '2026-11-29T00:00:00.000Z',
  agent: 'agent',
  session: 'one',
  requestId: 'request',
  toolCallId: 'call',
  decision: 'allow',
  option: 'allow_once',
  by: 'person',
  reason: 'answered "Yes"',
  client: 'terminal',
};
