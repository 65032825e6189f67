import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parley, scripted, temporaryFolder } from './command.ts';

const writing = (cwd: string): string[] =>
  scripted({
    prompt: [
      {
        ask: { method: 'fs/write_text_file', params: { path: path.join(cwd, 'a.txt'), content: 'after\n' } },
      },
    ],
  });

test('without git a session reports that once and continues', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await mkdir(path.join(cwd, 'bin'));
  await symlink(process.execPath, path.join(cwd, 'bin', 'node'));

  const { status, stdout, stderr } = await parley(
    ['run', 'go', '--approve', 'all', '--format', 'json', '--', ...writing(cwd)],
    { cwd, env: { PATH: path.join(cwd, 'bin') } },
  );

  expect(status).toBe(0);
  const said = `${stdout}${stderr}`.match(/changes of turns cannot be listed or undone/gu) ?? [];
  expect(said).toHaveLength(1);
});

test("changes.enabled false turns checkpoints off, also in a project's file", async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const file = path.join(cwd, 'config.json');
  await writeFile(file, JSON.stringify({ changes: { enabled: false } }));

  const { status, stdout } = await parley(
    ['run', 'go', '--approve', 'all', '--format', 'json', '--config', file, '--', ...writing(cwd)],
    { cwd },
  );

  expect(status).toBe(0);
  expect(stdout).not.toContain('"changes"');
});
