import type { AapSessionStore } from '@parley/aap/server';

/** A requirement for stores of AAP sessions. */
export interface AapStoreRequirement {
  readonly id: string;
  readonly title: string;
  /** Runs the check with a new store, and closes it. Rejects with an Error that says what happened instead. */
  check(store: AapSessionStore): Promise<void>;
}

/** Requirements for every store of AAP sessions. Each check needs a new store. */
export const aapStoreContract: readonly AapStoreRequirement[] = [
  {
    id: 'AAP-STORE-001',
    title: 'appended records are read in order and unchanged',
    async check(store) {
      await store.append('one', [{ a: 1 }, 'grüße 😀\n\u2028', [null, { deep: [true] }]]);
      await store.append('one', []);
      await store.append('one', [2], { durable: true });
      await store.append('two', ['other']);

      equal(await recordsOf(store, 'one'), [{ a: 1 }, 'grüße 😀\n\u2028', [null, { deep: [true] }], 2]);
      equal(await recordsOf(store, 'two'), ['other']);
    },
  },
  {
    id: 'AAP-STORE-002',
    title: 'what is added without a wait keeps its order, over all sessions',
    async check(store) {
      const numbers = Array.from({ length: 200 }, (_, index) => index);
      const ids = ['a', 'b', 'c'];
      await Promise.all(
        numbers.flatMap((number) =>
          ids.map(async (id) => store.append(id, [number], { durable: number % 50 === 0 })),
        ),
      );

      for (const id of ids) equal(await recordsOf(store, id), numbers);
    },
  },
  {
    id: 'AAP-STORE-003',
    title: 'a session that was never created does not exist',
    async check(store) {
      await store.append('one', [1]);

      equal(await recordsOf(store, 'other'), 'no session');
      equal(await recordsOf(store, '../one'), 'no session');
      equal(await recordsOf(store, ''), 'no session');
      equal(await headsOf(store), { one: 'no head' });
    },
  },
  {
    id: 'AAP-STORE-004',
    title: 'the list has each session once, with the head that was given last',
    async check(store) {
      await store.append('one', [1], { head: { title: 'first' } });
      await store.append('one', [2], { head: { title: 'second' } });
      await store.append('one', [3]);
      await store.append('two', [1], { head: 'plain', durable: true });

      equal(await headsOf(store), { one: { title: 'second' }, two: 'plain' });
      equal([store.head('one'), store.head('two')], [{ title: 'second' }, 'plain']);
      equal([store.head('other'), store.head('../one')], [undefined, undefined]);
    },
  },
  {
    id: 'AAP-STORE-005',
    title: 'what was given may change afterwards, and so may what was read',
    async check(store) {
      const record = { text: 'unchanged' };
      const adding = store.append('one', [record]);
      record.text = 'changed';
      await adding;
      await store.read('one', (read) => {
        if (typeof read === 'object' && read !== null && 'text' in read) read.text = 'changed';
      });

      equal(await recordsOf(store, 'one'), [{ text: 'unchanged' }]);
    },
  },
  {
    id: 'AAP-STORE-006',
    title: 'a reader is waited for, and what it throws ends the reading',
    async check(store) {
      await store.append('one', [1, 2, 3]);
      const seen: unknown[] = [];
      let isTaking = false;
      const reading = store.read('one', async (record) => {
        equal(isTaking, false);
        isTaking = true;
        await Promise.resolve();
        isTaking = false;
        seen.push(record);
        if (record === 2) throw new Error('enough');
      });

      equal(await reading.then(String, String), 'Error: enough');
      equal(seen, [1, 2]);
      equal(await recordsOf(store, 'one'), [1, 2, 3]);
    },
  },
  {
    id: 'AAP-STORE-007',
    title: 'a reader is handed what was there when it began, while more is added',
    async check(store) {
      await store.append('one', [1, 2]);
      const seen: unknown[] = [];
      await store.read('one', async (record) => {
        seen.push(record);
        if (seen.length === 1) await store.append('one', [3]);
      });

      equal(seen.slice(0, 2), [1, 2]);
      equal(await recordsOf(store, 'one'), [1, 2, 3]);
    },
  },
  {
    id: 'AAP-STORE-008',
    title: 'a removed session no longer exists, and can be created again',
    async check(store) {
      await store.append('one', [1], { head: 'old', durable: true });
      await store.append('two', [1], { head: 'kept' });
      await store.remove('one');
      await store.remove('one');
      await store.remove('never there');

      equal(await recordsOf(store, 'one'), 'no session');
      equal(await headsOf(store), { two: 'kept' });
      await store.append('one', ['new'], { head: 'new' });
      equal(await recordsOf(store, 'one'), ['new']);
      equal(await headsOf(store), { one: 'new', two: 'kept' });
    },
  },
];

async function recordsOf(
  store: AapSessionStore,
  sessionId: string,
): Promise<readonly unknown[] | 'no session'> {
  const records: unknown[] = [];
  const exists = await store.read(sessionId, (record) => void records.push(record));
  return exists ? records : 'no session';
}

async function headsOf(store: AapSessionStore): Promise<Readonly<Record<string, unknown>>> {
  const heads: [string, unknown][] = [];
  for await (const { sessionId, head } of store.list()) heads.push([sessionId, head ?? 'no head']);
  return Object.fromEntries(heads.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function equal(actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`expected ${should}, got ${is}`);
}
