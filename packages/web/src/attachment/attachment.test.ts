import { expect, test } from 'vitest';
import { attachmentLimits } from '../limits.ts';
import {
  countLines,
  fits,
  isLongPaste,
  judgeContent,
  judgeFile,
  notTaken,
  type Attachment,
} from './attachment.ts';

const image = { name: 'a.png', type: 'image/png', size: 1000 };
const all = { image: true, audio: true, embeddedContext: true };

test('an image is sent to an agent that supports images', () => {
  expect(judgeFile(image, all, 0)).toEqual({ as: 'image' });
  expect(judgeFile(image, {}, 0)).toEqual({ as: 'nothing', refusal: { why: 'not-taken', needs: 'image' } });
});

test('audio is sent to an agent that supports audio', () => {
  const sound = { name: 'a.wav', type: 'audio/wav', size: 1000 };

  expect(judgeFile(sound, all, 0)).toEqual({ as: 'audio' });
  expect(judgeFile(sound, { image: true }, 0)).toMatchObject({ refusal: { needs: 'audio' } });
});

test('an SVG is a text file for every agent', () => {
  const drawing = { name: 'a.svg', type: 'image/svg+xml', size: 1000 };

  expect(judgeFile(drawing, {}, 0)).toEqual({ as: 'file' });
  expect(judgeContent(drawing, true, {})).toBeUndefined();
});

test('a binary file is sent only to an agent that supports embedded resources', () => {
  const archive = { name: 'a.zip', type: 'application/zip', size: 1000 };

  expect(judgeContent(archive, false, all)).toBeUndefined();
  expect(judgeContent(archive, false, {})).toEqual({ why: 'not-taken', needs: 'embeddedContext' });
});

test('empty, too large and too many attachments are rejected with the limit', () => {
  const { count, imageBytes, textBytes } = attachmentLimits;

  expect(judgeFile({ ...image, size: 0 }, all, 0)).toMatchObject({ refusal: { why: 'empty' } });
  expect(judgeFile({ ...image, size: imageBytes + 1 }, all, 0)).toMatchObject({
    refusal: { why: 'too-large', limitBytes: imageBytes },
  });
  expect(judgeFile(image, all, count)).toMatchObject({ refusal: { why: 'too-many', limit: count } });
  expect(judgeContent({ name: 'a', type: '', size: textBytes + 1 }, true, all)).toMatchObject({
    why: 'too-large',
  });
});

test('all attachments together have a limit', () => {
  const half: Attachment = { kind: 'paste', id: '1', text: 'x'.repeat(attachmentLimits.length / 2) };

  expect(fits([half], half)).toBe(true);
  expect(fits([half, half], { kind: 'paste', id: '2', text: 'x' })).toBe(false);
});

test('an attachment is not silently sent to another agent that does not support it', () => {
  const picture: Attachment = { kind: 'image', id: '1', name: 'a', mimeType: 'image/png', data: 'AA==' };
  const text: Attachment = { kind: 'text', id: '2', name: 'b', text: 'b' };

  expect(notTaken([picture, text], {})).toEqual([picture]);
  expect(notTaken([picture, text], all)).toEqual([]);
});

test('a long pasted text becomes an attachment', () => {
  expect(isLongPaste('x'.repeat(attachmentLimits.pasteLength))).toBe(false);
  expect(isLongPaste('x'.repeat(attachmentLimits.pasteLength + 1))).toBe(true);
  expect(isLongPaste('\n'.repeat(attachmentLimits.pasteLines))).toBe(true);
});

test('lines are counted up to a limit', () => {
  expect(countLines('')).toBe(1);
  expect(countLines('a\nb\n')).toBe(3);
  expect(countLines('\n'.repeat(100), 5)).toBe(5);
});
