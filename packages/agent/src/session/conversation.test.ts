import { expect, test } from 'vitest';
import { Conversation } from './conversation.ts';

const user = (text: string): { readonly role: 'user'; readonly text: string } => ({ role: 'user', text });
const assistant = (text: string) => ({ role: 'assistant', text, toolCalls: [] }) as const;

test('messages are kept in order', () => {
  const conversation = new Conversation(100);
  conversation.add(user('a'));
  conversation.add(assistant('b'));
  expect(conversation.messages).toEqual([user('a'), assistant('b')]);
});

test('past the limit whole turns are forgotten, the oldest first', () => {
  const conversation = new Conversation(10);
  for (const text of ['aaa', 'bbb', 'ccc']) {
    conversation.add(user(text));
    conversation.add(assistant(text));
  }
  expect(conversation.messages).toEqual([user('ccc'), assistant('ccc')]);
});

test('the turn that runs is never forgotten', () => {
  const conversation = new Conversation(5);
  conversation.add(user('long prompt'));
  conversation.add(assistant('long answer'));
  expect(conversation.messages).toHaveLength(2);
});
