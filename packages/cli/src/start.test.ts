import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
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
