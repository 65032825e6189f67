import { expect, test } from 'vitest';
import { estimateTokens } from '../model/estimate-tokens.ts';
import type { ModelMessage } from '../model/model.ts';
import { Transcript } from './transcript.ts';

const limits = { conversationChars: 1000, imageChars: 10 };
const user = (text: string): { readonly role: 'user'; readonly text: string } => ({ role: 'user', text });
const assistant = (text: string) => ({ role: 'assistant', text, toolCalls: [] }) as const;

test('messages are kept in order', () => {
  const transcript = new Transcript({ ...limits, conversationChars: 100 });
  transcript.add(user('a'));
  transcript.add(assistant('b'));
  expect(transcript.messages).toEqual([user('a'), assistant('b')]);
});

test('beyond the limit the oldest turns are dropped', () => {
  const transcript = new Transcript({ ...limits, conversationChars: 10 });
  for (const text of ['aaa', 'bbb', 'ccc']) {
    transcript.add(user(text));
    transcript.add(assistant(text));
  }
  expect(transcript.messages).toEqual([user('ccc'), assistant('ccc')]);
});

test('the running turn is never dropped', () => {
  const transcript = new Transcript({ ...limits, conversationChars: 5 });
  transcript.add(user('long prompt'));
  transcript.add(assistant('long answer'));
  expect(transcript.messages).toHaveLength(2);
});

test('the size is estimated between two reports of the model', () => {
  const transcript = new Transcript(limits);
  const prompt = user('Read the file and say what it does. ');
  transcript.add(prompt);
  expect(transcript.usedTokens).toBe(estimateTokens([prompt]));
  transcript.count(150);
  expect(transcript.usedTokens).toBe(150);
  const answer: ModelMessage = {
    role: 'assistant',
    text: 'I write it.',
    toolCalls: [{ id: '1', name: 'write', input: { text: 'one two three' } }],
  };
  transcript.add(answer);
  expect(transcript.usedTokens).toBe(150 + estimateTokens([answer]));
});

test('clearing removes the messages and their size', () => {
  const transcript = new Transcript(limits);
  transcript.add(user('a'));
  transcript.count(7000);
  transcript.clear();
  transcript.add(user('bbbb'));
  expect(transcript.messages).toEqual([user('bbbb')]);
  expect(transcript.usedTokens).toBe(1);
});

test('each change is reported, and restoring them makes the same conversation', () => {
  const transcript = new Transcript(limits);
  const restored = new Transcript(limits);
  transcript.onChange((change) => {
    restored.restore(change);
  });
  transcript.add(user('a'));
  transcript.clear();
  transcript.add(user('b'));
  expect(restored.messages).toEqual([user('b')]);
});

test('beyond the limit the oldest images are dropped, with a note in their messages', () => {
  const image = { mimeType: 'image/png', data: 'AAAA' } as const;
  const transcript = new Transcript(limits);
  transcript.add({ ...user('one'), images: [image] });
  transcript.add({
    role: 'tool',
    results: [{ id: '1', name: 'read', isError: false, text: 'x', images: [image] }],
  });
  transcript.add({ ...user('two'), images: [image] });
  expect(transcript.messages).toEqual([
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
