import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openAuditLog, type AuditLog } from '@parley/host';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/command.ts';
import { auditFolder } from '../configuration/places.ts';
import { examineAudit } from './examine-audit.ts';

async function addDecisions(directory: string, count: number): Promise<void> {
  const log: AuditLog = openAuditLog({
    directory,
    onFailure: (error) => {
      throw error;
    },
  });
  for (let number = 0; number < count; number += 1) {
    await log.add({
      time: new Date(0).toISOString(),
      agent: 'agent',
      session: 'session',
      requestId: String(number),
      toolCallId: 'call',
      decision: 'allow',
      by: 'rules',
      reason: 'a rule',
      client: 'terminal',
    });
  }
}

test('doctor reports a modified audit log and the position of the change', async () => {
  await using folder = await temporaryFolder();
  const env = { PARLEY_HOME: folder.path };
  expect(await examineAudit(env)).toMatchObject({ level: 'ok', message: 'no decision is recorded' });
  await addDecisions(auditFolder(env), 3);
  expect(await examineAudit(env)).toMatchObject({
    level: 'ok',
    message: expect.stringMatching(/^3 /u) as string,
  });

  const names = await readdir(auditFolder(env));
  const file = path.join(auditFolder(env), names.find((name) => name.endsWith('.log')) ?? '');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"requestId":"1"', '"requestId":"2"'));

  expect(await examineAudit(env)).toMatchObject({
    level: 'problem',
    message: expect.stringContaining(path.basename(file)) as string,
    advice: expect.stringContaining('parley sessions audit --verify') as string,
  });
});

test('doctor notes an audit log that takes too long to verify, and how to verify it', async () => {
  await using folder = await temporaryFolder();
  const env = { PARLEY_HOME: folder.path };
  await addDecisions(auditFolder(env), 2);
  let time = 0;
  const now = (): number => (time += 1500);

  expect(await examineAudit(env, { now })).toMatchObject({
    level: 'note',
    advice: expect.stringContaining('parley sessions audit --verify') as string,
  });
});
