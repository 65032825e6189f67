import { expect, test } from 'vitest';
import { estimateTokens } from '../model/estimate-tokens.ts';
import type { ModelMessage } from '../model/model.ts';
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

test('beyond the limit the oldest turns are dropped', () => {
  const conversation = new Conversation({ ...limits, conversationChars: 10 });
  for (const text of ['aaa', 'bbb', 'ccc']) {
    conversation.add(user(text));
    conversation.add(assistant(text));
  }
  expect(conversation.messages).toEqual([user('ccc'), assistant('ccc')]);
});

test('the running turn is never dropped', () => {
  const conversation = new Conversation({ ...limits, conversationChars: 5 });
  conversation.add(user('long prompt'));
  conversation.add(assistant('long answer'));
  expect(conversation.messages).toHaveLength(2);
});

test('the size is estimated between two reports of the model', () => {
  const conversation = new Conversation(limits);
  const prompt = user('Read the file and say what it does. ');
  conversation.add(prompt);
  expect(conversation.usedTokens).toBe(estimateTokens([prompt]));
  conversation.count(150);
  expect(conversation.usedTokens).toBe(150);
  const answer: ModelMessage = {
    role: 'assistant',
    text: 'I write it.',
    toolCalls: [{ id: '1', name: 'write', input: { text: 'one two three' } }],
  };
  conversation.add(answer);
  expect(conversation.usedTokens).toBe(150 + estimateTokens([answer]));
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

test('beyond the limit the oldest images are dropped, with a note in their messages', () => {
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
          text: '[image/png, about 3 bytes, omitted: the conversation has too many of them]',
        },
      ],
    },
    { role: 'tool', results: [{ id: '1', name: 'read', isError: false, text: 'x', images: [image] }] },
    { ...user('two'), images: [image] },
  ]);
});
