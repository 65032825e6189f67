import { describe, expect, test } from 'vitest';
import { processLoad } from './process-load.ts';
import { startProcess } from './start-process.ts';

const cwd = process.cwd();

describe.runIf(process.platform === 'linux')('what a process does', () => {
  test('is idle while it and its children wait', async () => {
    await using group = await startProcess({ command: 'sleep 100 & wait', shell: true, cwd });
    expect(await processLoad(group.pid, 100)).toBe('idle');
  });

  test('is busy while a child in a group of its own is', async () => {
    const child = `require('child_process').spawn('sh', ['-c', 'while :; do :; done'], { detached: true })`;
    const script = `const child = ${child}; process.stdin.resume().on('end', () => process.kill(child.pid, 'SIGKILL'))`;
    await using group = await startProcess({ command: process.execPath, args: ['-e', script], cwd });
    await expect.poll(() => processLoad(group.pid, 300), { timeout: 120_000 }).toBe('busy');
  });
});
