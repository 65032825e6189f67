import { openLog } from './log.ts';

/** Appends records that count up until it is killed; prints the last one that is durable. */
const [, , file = ''] = process.argv;
const log = await openLog(file, { format: { name: 'test', version: 1 } });
let next = Number(process.argv[3]);
for (;;) {
  const batch = 1 + (next % 7);
  for (let count = 0; count < batch; count += 1, next += 1) {
    log.append({ number: next, text: 'x'.repeat((next * 37) % 3000) });
  }
  await (next % 3 === 0 ? log.sync() : log.flush());
  process.stdout.write(`${String(next)}\n`);
}
