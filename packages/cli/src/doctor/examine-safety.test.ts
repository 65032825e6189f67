import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/command.ts';
import { examineShell } from './examine-safety.ts';

test.skipIf(process.platform === 'win32')(
  "a shell that is not the system's is a problem: each line asks",
  async () => {
    await using folder = await temporaryFolder();
    const shell = path.join(folder.path, 'sh');
    await writeFile(shell, '', { mode: 0o755 });
    expect(examineShell(shell)).toMatchObject([
      { level: 'problem', topic: 'shell', message: expect.stringContaining(shell) as string },
    ]);
    expect(examineShell(path.join(folder.path, 'none', 'sh'))).toMatchObject([{ level: 'problem' }]);
    expect(examineShell(shell, 'win32')).toEqual([]);
  },
);
