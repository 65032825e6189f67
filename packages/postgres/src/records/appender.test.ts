import { findPostgres, type TestPostgres } from '@parley/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../connect.ts';
import { startTestPostgres } from '../database.fixture.ts';
import { migrate } from '../schema/migrate.ts';
import { Appender, type AppendedRecord, type Batch } from './appender.ts';

describe.skipIf('missing' in findPostgres())('batches of several sessions', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test('one statement stores them in order and as they are, save those of a session that was lost', async () => {
    const { sql, end } = connect(await server.createDatabase(), process.env);
    await migrate(sql);
    const keys = ['one', 'two', 'lost', 'three', 'head', 'four'];
    for (const key of keys) {
      await sql`insert into parley.sessions (key, fence, updated_at) values (${key}, 7, 0)`;
    }
    const statements: (readonly string[])[] = [];
    const appender = new Appender(sql, ({ keys: stored }) => statements.push(stored));
    const record = (seq: number, rest: string, last = seq): AppendedRecord => ({
      seq,
      last,
      json: `{"seq":${String(seq)},${rest}`,
    });
    const batch = (key: string, records: readonly AppendedRecord[], more?: Partial<Batch>): Batch => ({
      key,
      fence: 7n,
      records,
      head: {},
      ...more,
    });
    const texts = String.raw`"text":"a \"quote\", \\ and \n, {braces}, null, ä, 😀"}`;

    const outcomes = await Promise.all([
      // While these are on their way, the others wait, and go together.
      appender.append(batch('one', [record(1, '"text":"first"}')])),
      appender.append(batch('two', [record(1, '"text":"first"}')])),
      appender.append(batch('lost', [record(1, '"text":"not mine"}')], { fence: 6n })),
      appender.append(
        batch('three', [record(1, texts), record(2, '"chunks":[]}', 4), record(5, '"text":""}')]),
      ),
      appender.append(batch('head', [], { head: { title: 'named "so"' } })),
      // As an agent may have written it.
      appender.append(batch('four', [record(1, '\n  "text" :\n "broken"\n}'), record(2, texts)])),
    ]);

    expect(outcomes).toEqual(['stored', 'stored', 'lease-lost', 'stored', 'stored', 'stored']);
    expect(statements.map((stored) => stored.toSorted().join()).toSorted()).toEqual([
      'four,head,three',
      'one',
      'two',
    ]);
    const rows = await sql`select key, seq::int, last::int, record from parley.records order by key, seq`;
    const stored = rows.map((row): unknown[] => [row['key'], row['seq'], row['last'], row['record']]);
    expect(stored).toEqual([
      ['four', 1, 1, '{"seq":1,   "text" :  "broken" }'],
      ['four', 2, 2, `{"seq":2,${texts}`],
      ['one', 1, 1, '{"seq":1,"text":"first"}'],
      ['three', 1, 1, `{"seq":1,${texts}`],
      ['three', 2, 4, '{"seq":2,"chunks":[]}'],
      ['three', 5, 5, '{"seq":5,"text":""}'],
      ['two', 1, 1, '{"seq":1,"text":"first"}'],
    ]);
    const heads =
      await sql`select key, last_seq::int, title from parley.sessions where key in ('three', 'head') order by key`;
    expect([...heads]).toEqual([
      { key: 'head', last_seq: 0, title: 'named "so"' },
      { key: 'three', last_seq: 5, title: null },
    ]);
    await end();
  });
});
