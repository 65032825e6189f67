import { expect, test } from 'vitest';
import { draftCount, draftLength } from '../limits.ts';
import { openDraftStore, type DraftStorage } from './draft-store.ts';
import { emptyDraft, type Draft } from './draft.ts';

function memory(): DraftStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => {
      kept.set(name, value);
    },
    removeItem: (name) => {
      kept.delete(name);
    },
  };
}

const draft: Draft = {
  text: '你好',
  files: ['a.ts'],
  attachments: [{ kind: 'image', id: '1', name: 'a.png', mimeType: 'image/png', data: 'AA==' }],
};

test('a draft is restored after a reload, with its attachments', () => {
  const storage = memory();
  openDraftStore(storage, 'a').write(draft);

  expect(openDraftStore(storage, 'a').read()).toEqual({ draft, lost: [] });
  expect(openDraftStore(storage, 'b').read().draft).toEqual(emptyDraft);
});

test('a draft that was being sent when the page closed is restored, before text written meanwhile', () => {
  const storage = memory();
  const store = openDraftStore(storage, 'a');
  store.beginSending(draft, 3);
  store.write({ ...emptyDraft, text: 'next' });

  const kept = openDraftStore(storage, 'a').read();
  expect(kept.draft.text).toBe('你好\n\nnext');
  expect(kept.sent).toEqual({ text: '你好', mark: 3 });
});

test('a draft that was sent is removed', () => {
  const storage = memory();
  const store = openDraftStore(storage, 'a');
  store.beginSending(draft, 3);
  store.write({ ...emptyDraft, text: 'next' });
  store.endSending();

  expect(openDraftStore(storage, 'a').read().draft.text).toBe('next');
  store.write(emptyDraft);
  expect(storage.kept.size).toBe(0);
});

test('an attachment that is too large to store is named', () => {
  const storage = memory();
  const huge = { kind: 'image', id: '2', name: 'huge.png', mimeType: 'image/png' } as const;
  const attachments = [...draft.attachments, { ...huge, data: 'A'.repeat(draftLength) }];
  openDraftStore(storage, 'a').write({ ...draft, attachments });

  const kept = openDraftStore(storage, 'a').read();
  expect(kept.lost).toEqual(['huge.png']);
  expect(kept.draft).toEqual(draft);
});

test('the oldest drafts make room for new ones', () => {
  const storage = memory();
  for (let index = 0; index < draftCount + 5; index += 1) {
    openDraftStore(storage, String(index)).write({ ...emptyDraft, text: String(index) });
  }

  expect(storage.kept.size).toBe(draftCount);
  expect(openDraftStore(storage, String(draftCount + 4)).read().draft.text).toBe(String(draftCount + 4));
});

test('if the storage is full, the oldest drafts make room', () => {
  const storage = memory();
  const small: DraftStorage = {
    ...storage,
    get length() {
      return storage.kept.size;
    },
    setItem: (name, value) => {
      const others = [...storage.kept].filter(([known]) => known !== name);
      if (others.reduce((sum, [, kept]) => sum + kept.length, value.length) > 500) throw new Error('full');
      storage.setItem(name, value);
    },
  };
  for (const name of ['a', 'b', 'c']) {
    openDraftStore(small, name).write({ ...emptyDraft, text: name.repeat(150) });
  }

  expect(openDraftStore(small, 'c').read().draft.text).toBe('c'.repeat(150));
  expect(openDraftStore(small, 'a').read().draft).toEqual(emptyDraft);
});

test('full or missing storage does not prevent typing', () => {
  const full = {
    ...memory(),
    setItem: () => {
      throw new Error('full');
    },
  };

  for (const storage of [full, undefined]) {
    const store = openDraftStore(storage, 'a');
    store.write(draft);
    expect(store.read().draft).toEqual(draft);
  }
});

test.each([
  '',
  '{',
  '[]',
  '{"draft":3}',
  '{"draft":{"text":1,"files":[2],"attachments":[{},{"kind":"image","id":"1"}]}}',
])('what is not understood (%s) counts as nothing', (text) => {
  const storage = memory();
  storage.setItem('parley-draft:a', text);

  expect(openDraftStore(storage, 'a').read()).toEqual({ draft: emptyDraft, lost: [] });
});
