import {
  codeOf,
  equal,
  eventsOf,
  follow,
  numbersOf,
  summaryOf,
  own,
  pick,
  say,
  textsIn,
  type CheckedSessionStore,
} from './checked-session-store.ts';

/** Storage for sessions, initially empty, that the store under test provides. */
export interface SessionStorage {
  /** Opens a store on this storage, as another process would. */
  open(): CheckedSessionStore;
  /** Takes the lease from its owner, as if it had been inactive for a long time. */
  loseLease(key: string): Promise<void>;
  /** Truncates the last record of a session that is not open, as a kill during a write does. */
  tear(key: string): Promise<void>;
  /** A disk without free space while `isFull`. Absent if the storage cannot run full. */
  readonly disk?: { isFull: boolean };
}

/** A requirement for session stores. */
export interface SessionStoreRequirement {
  readonly id: string;
  readonly title: string;
  readonly needsDisk?: true;
  /** Rejects with an Error that says what happened instead. */
  check(place: SessionStorage): Promise<void>;
}

/** Requirements for every `SessionStore` of `@parley/host`, wherever it stores sessions. */
export const sessionStoreContract: readonly SessionStoreRequirement[] = [
  {
    id: 'LOG-STORE-001',
    title: 'events are numbered from 1, without a gap and without a double, over several owners',
    async check(place) {
      const texts: string[] = [];
      for (const owner of ['a', 'b', 'c']) {
        const log = await own(place.open(), 'one');
        for (let index = 0; index < 50; index += 1) {
          texts.push(`${owner}${String(index)}`);
          say(log, texts.at(-1));
          if (index % 20 === 0) await log.stored();
        }
        await log.close();
      }

      const events = await eventsOf(place.open(), 'one');
      equal(
        events.map(({ seq }) => seq),
        events.map((_, index) => index + 1),
      );
      equal(textsIn(events), texts);
      equal([events[0]?.type, events.length], ['journal-start', 151]);
    },
  },
  {
    id: 'LOG-STORE-002',
    title: 'what is stored is read by others at once, from any number on',
    async check(place) {
      const log = await own(place.open(), 'one');
      for (const text of 'abcdef') say(log, text);
      await log.stored();

      const reader = place.open();
      equal(textsIn(await eventsOf(reader, 'one')), [...'abcdef']);
      equal(await numbersOf(reader, 'one', 4), [5, 6, 7]);
      equal(await numbersOf(reader, 'one', 7), []);
      equal(await numbersOf(reader, 'one', 99), []);
      await log.close();
    },
  },
  {
    id: 'LOG-STORE-003',
    title: 'a lease is exclusive, and free again when it is released',
    async check(place) {
      const [one, other] = [place.open(), place.open()];
      equal(await one.owner('one'), undefined);
      const log = await own(one, 'one');
      for (const store of [one, other]) equal(await codeOf(own(store, 'one')), 'already-open');
      equal((await other.owner('one')) === undefined, false);
      say(log, 'a');
      await log.close();
      equal(await other.owner('one'), undefined);

      const next = await own(other, 'one');
      say(next, 'b');
      await next.close();
      equal(textsIn(await eventsOf(one, 'one')), ['a', 'b']);
    },
  },
  {
    id: 'LOG-STORE-004',
    title: 'of several that open a session at once, exactly one gets it',
    async check(place) {
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => own(place.open(), 'one')));
      const owners = attempts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));

      equal(owners.length, 1);
      for (const log of owners) await log.close();
      equal(await numbersOf(place.open(), 'one'), [1]);
    },
  },
  {
    id: 'LOG-STORE-005',
    title: 'an append after the lease was lost is refused, and never stored',
    async check(place) {
      let failures = 0;
      const before = await own(place.open(), 'one', { onFailure: () => (failures += 1) });
      say(before, 'mine');
      await before.stored();

      await place.loseLease('one');
      const next = await own(place.open(), 'one');
      say(before, 'too late');
      equal((await codeOf(Promise.resolve(before.stored()))) === undefined, false);
      // Once the loss is known, nothing waits; the owner must not act on what it appends.
      say(before, 'still too late');
      equal((await codeOf(Promise.resolve(before.stored()))) === undefined, false);
      say(next, 'theirs');
      await next.stored();
      await before.close();
      equal((await codeOf(Promise.resolve(before.stored()))) === undefined, false);
      await next.close();

      equal(failures > 0, true);
      const events = await eventsOf(place.open(), 'one');
      equal(textsIn(events), ['mine', 'theirs']);
      equal(
        events.map(({ seq }) => seq),
        events.map((_, index) => index + 1),
      );
    },
  },
  {
    id: 'LOG-STORE-006',
    title: 'a torn end loses what was torn, and nothing before it; the next owner continues behind that',
    async check(place) {
      const log = await own(place.open(), 'one');
      for (const text of 'abc') {
        log.append({ type: 'session', sessionId: text, cwd: '/', origin: 'new' });
        log.append({ type: 'session-end', sessionId: text, reason: 'closed' });
      }
      await log.close();
      await place.tear('one');

      equal(await numbersOf(place.open(), 'one'), [1, 2, 3, 4, 5, 6]);
      const next = await own(place.open(), 'one');
      say(next, 'after');
      await next.close();
      const events = await eventsOf(place.open(), 'one');
      equal(
        events.slice(6).map(({ seq, type }) => [seq, type]),
        [
          [7, 'interruption'],
          [8, 'update'],
        ],
      );
    },
  },
  {
    id: 'LOG-STORE-007',
    title: 'followers from any number see each event once and in order, while the owner appends',
    async check(place) {
      const [owner, other] = [place.open(), place.open()];
      const log = await own(owner, 'one');
      for (let count = 0; count < 20; count += 1) say(log, String(count));
      const last = 421;
      const followers = [0, 1, 10, 21, 22, 300].flatMap((after) =>
        [owner, other].map(async (store) => {
          const seen = await follow(store, 'one', { after, last });
          equal(
            seen,
            Array.from({ length: last - after }, (_, index) => after + 1 + index),
          );
        }),
      );
      const checked = Promise.all(followers);
      for (let count = 20; count < 420; count += 1) {
        say(log, String(count));
        if (count % 7 === 0) await log.stored();
      }
      await checked;
      await log.close();
    },
  },
  {
    id: 'LOG-STORE-008',
    title: 'a follower that is slow misses nothing, and holds up no other',
    async check(place) {
      const store = place.open();
      const log = await own(store, 'one');
      const last = 5001;
      const slow = follow(store, 'one', { after: 0, last, pause: () => log.stored() });
      const fast = follow(store, 'one', { after: 0, last });
      for (let count = 0; count < last - 1; count += 1) {
        say(log, `${String(count)} ${'x'.repeat(400)}`);
        if (count % 500 === 0) await log.stored();
      }
      const whole = Array.from({ length: last }, (_, index) => index + 1);
      equal(await fast, whole);
      equal(await slow, whole);
      await log.close();
    },
  },
  {
    id: 'LOG-STORE-009',
    title: 'a follower continues from one owner to the next',
    async check(place) {
      const [one, other] = [place.open(), place.open()];
      const first = await own(one, 'one');
      const following = follow(one, 'one', { after: 0, last: 7 });
      say(first, 'a');
      say(first, 'b');
      await first.close();
      const second = await own(other, 'one');
      say(second, 'c');
      say(second, 'd');
      await second.close();
      const third = await own(one, 'one');
      say(third, 'e');
      say(third, 'f');
      equal(await following, [1, 2, 3, 4, 5, 6, 7]);
      await third.close();
    },
  },
  {
    id: 'LOG-STORE-010',
    title: 'the list has each session once, with how it begins',
    async check(place) {
      equal(await place.open().list(), []);
      for (const key of ['one', 'two']) {
        const log = await own(place.open(), key);
        log.append({ type: 'session', sessionId: `id of ${key}`, cwd: '/', origin: 'new' });
        await log.close();
      }

      const store = place.open();
      const heads = (await store.list()).toSorted((left, right) => (left.key < right.key ? -1 : 1));
      equal(heads.map(summaryOf), ['one test /project id of one', 'two test /project id of two']);
      const head = await store.head('two');
      equal(head === undefined ? undefined : summaryOf(head), 'two test /project id of two');
      for (const key of ['three', '../one', '']) equal(await store.head(key), undefined);
    },
  },
  {
    id: 'LOG-STORE-011',
    title: 'a session with an owner cannot be removed; a removed one can be created again',
    async check(place) {
      const [store, other] = [place.open(), place.open()];
      const log = await own(store, 'one');
      say(log, 'old');
      await store.setColumns('one', { title: 'old' });
      for (const each of [store, other]) equal((await each.remove('one')).owner === undefined, false);
      await log.stored();
      equal(textsIn(await eventsOf(other, 'one')), ['old']);
      await log.close();

      equal((await other.remove('one')).owner, undefined);
      equal(await store.head('one'), undefined);
      equal((await codeOf(eventsOf(store, 'one'))) === undefined, false);
      equal(await store.columns('one'), {});
      const again = await own(store, 'one');
      say(again, 'new');
      await again.close();
      equal(textsIn(await eventsOf(other, 'one')), ['new']);
      equal(await numbersOf(other, 'one'), [1, 2]);
    },
  },
  {
    id: 'LOG-STORE-012',
    title: 'columns are what was set last, for everyone, whether the session has an owner or not',
    async check(place) {
      const [store, other] = [place.open(), place.open()];
      equal(await store.columns('one'), {});
      const log = await own(store, 'one');
      await store.setColumns('one', { title: 'grüße 😀', queue: [{ id: 'a' }] });
      equal(pick(await other.columns('one'), ['title', 'queue']), {
        title: 'grüße 😀',
        queue: [{ id: 'a' }],
      });
      await log.close();
      await other.setColumns('one', { title: 'second' });
      equal(pick(await store.columns('one'), ['title', 'queue']), { title: 'second' });
    },
  },
  {
    id: 'LOG-STORE-013',
    title:
      'while there is no room, nothing is acknowledged; with room again, everything is stored once and in order',
    needsDisk: true,
    async check({ open, disk = { isFull: false } }) {
      const reported: string[] = [];
      const log = await own(open(), 'one', {
        onFailure: () => reported.push('failure'),
        onRecovery: () => reported.push('recovery'),
      });
      say(log, 'before');
      await log.stored();

      disk.isFull = true;
      for (let count = 0; count < 100; count += 1) say(log, String(count));
      equal((await codeOf(Promise.resolve(log.stored()))) === undefined, false);
      equal(textsIn(await eventsOf(open(), 'one')).slice(0, 1), ['before']);
      disk.isFull = false;
      say(log, 'after');
      await log.stored();
      await log.close();

      equal(reported, ['failure', 'recovery']);
      const events = await eventsOf(open(), 'one');
      equal(textsIn(events), [
        'before',
        ...Array.from({ length: 100 }, (_, count) => String(count)),
        'after',
      ]);
      equal(
        events.map(({ seq }) => seq),
        events.map((_, index) => index + 1),
      );
    },
  },
];
