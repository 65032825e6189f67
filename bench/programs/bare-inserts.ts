import postgres from 'postgres';

// Inserts the rows that a hub stored again, into a table like theirs: with postgres.js and nothing else, many in a statement, and two
// statements at a time.

const [, , url = ''] = process.argv;
const rowsInStatement = 500;
const statements = 2;

const sql = postgres(url, { max: statements, onnotice: () => undefined });
const rows = await sql<{ key: string; seq: number; last: number; record: string }[]>`
  select key, seq::int, last::int, record from parley.records order by key, seq`;
await sql.unsafe(`
  create table bare (like parley.records including all) partition by hash (key);
  do $$
  begin
    for part in 0..15 loop
      execute format('create table bare_%s partition of bare for values with (modulus 16, remainder %s)', part, part);
    end loop;
  end
  $$;
  checkpoint`);
// As they came: those of all sessions in turn.
const turns = new Map<string, number>();
const inTurn = rows
  .map((row) => {
    const turn = turns.get(row.key) ?? 0;
    turns.set(row.key, turn + 1);
    return { row, turn };
  })
  .toSorted((left, right) => left.turn - right.turn)
  .map(({ row }) => row);
let next = 0;
const begun = performance.now();
await Promise.all(
  Array.from({ length: statements }, async () => {
    while (next < inTurn.length) {
      const part = inTurn.slice(next, next + rowsInStatement);
      next += part.length;
      await sql`insert into bare ${sql(part, 'key', 'seq', 'last', 'record')}`;
    }
  }),
);
const seconds = (performance.now() - begun) / 1000;
const [stored] = await sql`select count(*) as count, sum(last - seq + 1) as events from bare`;
if (Number(stored?.['count']) !== rows.length) throw new Error('rows are missing');
console.log(JSON.stringify({ rate: Number(stored?.['events']) / seconds, rows: rows.length, seconds }));
await sql.end();
