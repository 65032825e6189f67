import { expect, test } from 'vitest';
import type { ConversationRecord } from './conversation-record.ts';
import { cutTexts, withoutData } from './cut-record.ts';

const data = 'AAAA';

test('a prompt loses its images, and its texts stay', () => {
  const record: ConversationRecord = {
    type: 'prompt',
    time: 't',
    opening: 0,
    content: [
      { type: 'text', text: 'look' },
      { type: 'image', mimeType: 'image/png', data },
      { type: 'resource', resource: { uri: 'x:1', mimeType: 'image/png', blob: data } },
      { type: 'resource', resource: { uri: 'x:2', text: 'kept' } },
    ],
  };
  expect(withoutData(record)).toEqual({
    ...record,
    content: [
      { type: 'text', text: 'look' },
      { type: 'text', text: '[image, about 3 bytes, omitted: too long to be stored]' },
      {
        type: 'resource',
        resource: {
          uri: 'x:1',
          mimeType: 'image/png',
          text: '[content, about 3 bytes, omitted: too long to be stored]',
        },
      },
      { type: 'resource', resource: { uri: 'x:2', text: 'kept' } },
    ],
  });
});

test('a result loses its images, for the user and for the model', () => {
  const image = { mimeType: 'image/png', data } as const;
  expect(
    withoutData({
      type: 'update',
      update: {
        sessionUpdate: 'tool_call_update',
        toolCallId: '1',
        content: [{ type: 'content', content: { type: 'image', ...image } }],
      },
    }),
  ).toMatchObject({ update: { content: [{ content: { type: 'text' } }] } });
  expect(
    withoutData({
      type: 'message',
      message: {
        role: 'tool',
        results: [{ id: '1', name: 'read', isError: false, text: 'a', images: [image] }],
      },
    }),
  ).toEqual({
    type: 'message',
    message: {
      role: 'tool',
      results: [
        {
          id: '1',
          name: 'read',
          isError: false,
          text: 'a\n[image/png, about 3 bytes, omitted: too long to be stored]',
        },
      ],
    },
  });
});

test('each long text is truncated at any depth', () => {
  expect(cutTexts({ a: ['abcdef', { b: 'abcdef' }], c: 1, d: null }, 4)).toEqual({
    a: ['ab\n[2 characters are left out here]\nef', { b: 'ab\n[2 characters are left out here]\nef' }],
    c: 1,
    d: null,
  });
});
