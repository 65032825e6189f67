import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';

// The least that a way through the database takes: a row is inserted with a notification, and read by the connection that hears it.

const [, , url = '', count = '0'] = process.argv;
const gapMs = 20;

const writer = postgres(url, { max: 1, onnotice: () => undefined });
const reader = postgres(url, { max: 1, onnotice: () => undefined });
await writer`create table bare (n int primary key, record text not null)`;
const delays: number[] = [];
const begun: number[] = [];
let onComplete: () => void = () => {};
const complete = new Promise<void>((resolve) => {
  onComplete = resolve;
});
await reader.listen('bare', (payload) => {
  void reader`select record from bare where n = ${Number(payload)}`.then(() => {
    delays.push(performance.now() - (begun[Number(payload)] ?? 0));
    if (delays.length === Number(count)) onComplete();
  });
});
for (let index = 0; index < Number(count); index += 1) {
  begun[index] = performance.now();
  void writer`
    with stored as (insert into bare values (${index}, ${'a piece of an answer'}))
    select pg_notify('bare', ${String(index)})`.catch((error: unknown) => {
    throw error;
  });
  await delay(gapMs);
}
await complete;
delays.sort((left, right) => left - right);
console.log(
  JSON.stringify({
    p50: delays[Math.floor(delays.length * 0.5)],
    p99: delays[Math.floor(delays.length * 0.99)],
  }),
);
process.exit();
