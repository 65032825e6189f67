import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/command.ts';
import { sharesOutput } from './shares-output.ts';

test('standard error shares the output on a screen, and where both are the same file', async () => {
  await using folder = await temporaryFolder();
  const open = (name: string): WriteStream => {
    const file = path.join(folder.path, name);
    return createWriteStream(file, { fd: openSync(file, 'a') });
  };
  const [out, same, other] = [open('out'), open('out'), open('other')];
  expect(sharesOutput({ stdout: out, stderr: same })).toBe(true);
  expect(sharesOutput({ stdout: out, stderr: other })).toBe(false);
  expect(sharesOutput({ stdout: new PassThrough(), stderr: new PassThrough() })).toBe(false);
  const screen = Object.assign(new PassThrough(), { isTTY: true });
  expect(sharesOutput({ stdout: screen, stderr: other })).toBe(true);
  await Promise.all([out, same, other].map((stream) => finished(stream.end())));
});
