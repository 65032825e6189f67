import { expect, test } from 'vitest';
import type { Attachment } from '../attachment/attachment.ts';
import {
  attachedName,
  editableText,
  emptyDraft,
  fileUri,
  isBlank,
  joinDrafts,
  toBlocks,
  withEditedText,
} from './draft.ts';

const picture: Attachment = {
  kind: 'image',
  id: '1',
  name: 'a.png',
  mimeType: 'image/png',
  data: 'AA==',
};
const notes: Attachment = { kind: 'text', id: '2', name: 'my notes.md', text: 'one\ntwo\n' };

test('a prompt is its text, links to the files it mentions, and its attachments', () => {
  const draft = { text: ' see @a.ts ', files: ['a.ts', 'b.ts'], attachments: [picture] };

  expect(toBlocks(draft, { cwd: '/project' })).toEqual([
    { type: 'text', text: 'see @a.ts' },
    { type: 'resource_link', name: 'a.ts', uri: 'file:///project/a.ts' },
    { type: 'image', mimeType: 'image/png', data: 'AA==' },
  ]);
});

test('a text file is embedded if the agent supports it', () => {
  const blocks = toBlocks(
    { ...emptyDraft, attachments: [notes] },
    { capabilities: { embeddedContext: true } },
  );

  expect(blocks).toEqual([
    {
      type: 'resource',
      resource: { uri: 'attachment:///my%20notes.md', mimeType: 'text/plain', text: 'one\ntwo\n' },
    },
  ]);
});

test('for other agents, a text file is part of the text, in a fence that its content cannot close', () => {
  const tricky: Attachment = { kind: 'text', id: '3', name: 'a.md', text: '```\nx\n````\n' };

  expect(toBlocks({ ...emptyDraft, attachments: [tricky] }, {})).toEqual([
    { type: 'text', text: '\n\na.md:\n\n`````\n```\nx\n````\n`````' },
  ]);
});

test('a binary file is a resource', () => {
  const archive: Attachment = {
    kind: 'binary',
    id: '4',
    name: 'a.zip',
    mimeType: 'application/zip',
    data: 'AA==',
  };

  expect(toBlocks({ ...emptyDraft, attachments: [archive] }, {})).toEqual([
    { type: 'resource', resource: { uri: 'attachment:///a.zip', mimeType: 'application/zip', blob: 'AA==' } },
  ]);
});

test('only an empty draft is blank', () => {
  expect(isBlank({ ...emptyDraft, text: ' \n' })).toBe(true);
  expect(isBlank({ ...emptyDraft, attachments: [picture] })).toBe(false);
});

test('a restored text is put before what was written meanwhile', () => {
  const first = { text: 'one', files: ['a'], attachments: [picture] };
  const second = { text: 'two', files: ['a', 'b'], attachments: [notes] };

  expect(joinDrafts(first, second)).toEqual({
    text: 'one\n\ntwo',
    files: ['a', 'b'],
    attachments: [picture, notes],
  });
  expect(joinDrafts(first, emptyDraft).text).toBe('one');
});

test.each([
  ['/project', 'src/a b.ts', 'file:///project/src/a%20b.ts'],
  ['/', 'a#1.ts', 'file:///a%231.ts'],
  ['C:\\work', 'src\\a.ts', 'file:///C:/work/src/a.ts'],
])('below %s, %s is %s', (cwd, path, uri) => {
  expect(fileUri(cwd, path)).toBe(uri);
});

test('the text of a queued prompt can be changed, and its attachments stay', () => {
  const blocks = toBlocks({ text: 'see @a.ts', files: ['a.ts'], attachments: [picture] }, { cwd: '/p' });

  expect(editableText(blocks)).toBe('see @a.ts');
  expect(withEditedText(blocks, 'read @a.ts').map(({ type }) => type)).toEqual([
    'text',
    'resource_link',
    'image',
  ]);
  expect(withEditedText(blocks, 'nothing').map(({ type }) => type)).toEqual(['text', 'image']);
  expect(withEditedText(blocks, ' ').map(({ type }) => type)).toEqual(['image']);
});

test('a link that is not mentioned in the text stays', () => {
  const link = { type: 'resource_link', name: 'b.ts', uri: 'file:///b.ts' } as const;

  expect(withEditedText([link], 'hello')).toEqual([{ type: 'text', text: 'hello' }, link]);
});

test('an attached file is named as its user named it', () => {
  const [, block] = toBlocks(
    { text: 'see', files: [], attachments: [notes] },
    { capabilities: { embeddedContext: true } },
  );
  const uri = block?.type === 'resource' ? block.resource.uri : '';
  expect(attachedName(uri)).toBe('my notes.md');
  expect(attachedName('attachment:///%')).toBeUndefined();
  expect(attachedName('file:///a.md')).toBeUndefined();
});
