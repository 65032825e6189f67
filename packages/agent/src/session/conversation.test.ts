import { expect, test } from 'vitest';
import { Conversation } from './conversation.ts';

const limits = { conversationChars: 1000, imageChars: 10 };
const user = (text: string): { readonly role: 'user'; readonly text: string } => ({ role: 'user', text });
const assistant = (text: string) => ({ role: 'assistant', text, toolCalls: [] }) as const;

test('messages are kept in order', () => {
  const conversation = new Conversation({ ...limits, conversationChars: 100 });
  conversation.add(user('a'));
  conversation.add(assistant('b'));
  expect(conversation.messages).toEqual([user('a'), assistant('b')]);
});

test('past the limit whole turns are forgotten, the oldest first', () => {
  const conversation = new Conversation({ ...limits, conversationChars: 10 });
  for (const text of ['aaa', 'bbb', 'ccc']) {
    conversation.add(user(text));
    conversation.add(assistant(text));
  }
  expect(conversation.messages).toEqual([user('ccc'), assistant('ccc')]);
});

test('the turn that runs is never forgotten', () => {
  const conversation = new Conversation({ ...limits, conversationChars: 5 });
  conversation.add(user('long prompt'));
  conversation.add(assistant('long answer'));
  expect(conversation.messages).toHaveLength(2);
});

test('the size is estimated between two reports of the model', () => {
  const conversation = new Conversation(limits);
  conversation.add(user('a'.repeat(400)));
  expect(conversation.usedTokens).toBe(100);
  conversation.count(150);
  expect(conversation.usedTokens).toBe(150);
  conversation.add({
    role: 'assistant',
    text: 'b'.repeat(20),
    toolCalls: [{ id: '1', name: 'write', input: { text: 'c'.repeat(79) } }],
  });
  expect(conversation.usedTokens).toBe(150 + (20 + 90) / 4 + 0.5);
});

test('clearing removes the messages and their size', () => {
  const conversation = new Conversation(limits);
  conversation.add(user('a'));
  conversation.count(7000);
  conversation.clear();
  conversation.add(user('bbbb'));
  expect(conversation.messages).toEqual([user('bbbb')]);
  expect(conversation.usedTokens).toBe(1);
});

test('each change is reported, and restoring them makes the same conversation', () => {
  const conversation = new Conversation(limits);
  const restored = new Conversation(limits);
  conversation.onChange((change) => {
    restored.restore(change);
  });
  conversation.add(user('a'));
  conversation.clear();
  conversation.add(user('b'));
  expect(restored.messages).toEqual([user('b')]);
});

test('past their limit the oldest images are forgotten, and their messages stay with a word about it', () => {
  const image = { mimeType: 'image/png', data: 'AAAA' } as const;
  const conversation = new Conversation(limits);
  conversation.add({ ...user('one'), images: [image] });
  conversation.add({
    role: 'tool',
    results: [{ id: '1', name: 'read', isError: false, text: 'x', images: [image] }],
  });
  conversation.add({ ...user('two'), images: [image] });
  expect(conversation.messages).toEqual([
    {
      ...user('one'),
      context: [
        {
          source: 'image',
          text: '[image/png, about 3 bytes, left out: the conversation has too many of them]',
        },
      ],
    },
    { role: 'tool', results: [{ id: '1', name: 'read', isError: false, text: 'x', images: [image] }] },
    { ...user('two'), images: [image] },
  ]);
});
