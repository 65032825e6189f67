import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readImage, readPrompt, toImageType } from './prompt.ts';

let folder = '';
const never = new AbortController().signal;
const nothing = (): Readable => Readable.from([]);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-prompt-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

test('a file is the prompt, without its trailing newline', async () => {
  const file = path.join(folder, 'task.md');
  await writeFile(file, 'say: hi\nsay: there\n');
  expect(await readPrompt({ kind: 'file', file }, nothing(), never)).toBe('say: hi\nsay: there');
});

test('a character split between two reads of standard input is read correctly', async () => {
  const bytes = Buffer.from('naïve');
  const input = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
  expect(await readPrompt({ kind: 'standard-input' }, input, never)).toBe('naïve');
});

test('a missing prompt, empty text and a missing file are each reported in one line', async () => {
  await expect(readPrompt({ kind: 'standard-input' }, nothing(), never)).rejects.toThrow(
    'standard input: the prompt is empty',
  );
  const bytes = Readable.from([Buffer.from([0xff, 0xfe, 0x41])]);
  await expect(readPrompt({ kind: 'standard-input' }, bytes, never)).rejects.toThrow(
    'standard input: not UTF-8 text',
  );
  const file = path.join(folder, 'none.md');
  await expect(readPrompt({ kind: 'file', file }, nothing(), never)).rejects.toThrow(
    `${file}: the file does not exist`,
  );
});

test('an abort ends the wait for standard input', async () => {
  const controller = new AbortController();
  const reading = readPrompt({ kind: 'standard-input' }, new PassThrough(), controller.signal);
  controller.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
});

test('an image is recognised by its first bytes, with any name', async () => {
  const file = path.join(folder, 'picture.txt');
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]);
  await writeFile(file, png);
  expect(await readImage(file, never)).toEqual({
    type: 'image',
    mimeType: 'image/png',
    data: png.toString('base64'),
  });
  await writeFile(file, 'no picture');
  await expect(readImage(file, never)).rejects.toMatchObject({ code: 'usage' });
  expect(toImageType(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toBe('image/jpeg');
  expect(toImageType(Buffer.from('GIF89a'))).toBe('image/gif');
  expect(toImageType(Buffer.from('RIFF1234WEBPVP8 '))).toBe('image/webp');
});
