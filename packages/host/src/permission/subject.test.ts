import { expect, test } from 'vitest';
import { subjectOf } from './subject.ts';

test('the files of a call are those of its diffs, its locations and its input, absolute and each once', () => {
  const subject = subjectOf(
    {
      toolCallId: 'a',
      kind: 'edit',
      content: [
        { type: 'diff', path: '/project/a', newText: '' },
        { type: 'content', content: { type: 'text', text: '/project/not-me' } },
      ],
      locations: [{ path: '/project/a' }, { path: '/project/b' }],
      rawInput: { file_path: 'c', from: '/project/d', text: '/project/not-me-either' },
    },
    '/project',
  );

  expect(subject).toEqual({ kind: 'edit', paths: ['/project/a', '/project/b', '/project/c', '/project/d'] });
});

test('a call that shows nothing has neither files nor a command', () => {
  expect(subjectOf({ toolCallId: 'a' }, '/project')).toEqual({ paths: [] });
});

test('the command of a call is in its input', () => {
  const subject = subjectOf({ toolCallId: 'a', kind: 'execute', rawInput: { command: 'ls' } }, '/project');

  expect(subject).toEqual({ kind: 'execute', command: 'ls', paths: [] });
});
