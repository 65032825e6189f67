import { PassThrough, Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { start } from './start.ts';

test('a command that may open too few files says how to raise the limit', async () => {
  const limit = Object.assign(new Error("EMFILE: too many open files, open '/lib/serve.js'"), {
    code: 'EMFILE',
  });
  const stdout = new Writable({ write: () => undefined });
  stdout.write = () => {
    throw limit;
  };
  const stderr = new PassThrough();

  const status = await start(['--version'], { stdin: new PassThrough(), stdout, stderr });

  expect(status).toBe(1);
  expect(String(stderr.read())).toBe(
    `parley: EMFILE: too many open files, open '/lib/serve.js'; raise the limit, for example with "ulimit -n 1024"\n`,
  );
});

test('a command whose current folder was removed says so', async () => {
  const cwd = vi.spyOn(process, 'cwd').mockImplementation(() => {
    const removed = { code: 'ENOENT', syscall: 'uv_cwd' };
    throw Object.assign(new Error('ENOENT: no such file or directory, uv_cwd'), removed);
  });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];

  const status = await start(['sessions', 'list'], { stdin: new PassThrough(), stdout, stderr });
  cwd.mockRestore();

  expect(status).toBe(1);
  expect(String(stderr.read())).toBe(
    'parley: the current folder does not exist any more; change to another one\n',
  );
});
