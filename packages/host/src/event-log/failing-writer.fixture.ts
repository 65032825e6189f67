import { openEventLog } from './event-log.ts';

// Writes more than it may, and says how often it was told so and what number the last event had.
let failures = 0;
const eventLog = await openEventLog(process.argv[2] ?? '', {
  start: { key: 'key', agent: 'test', cwd: '/', program: 'test' },
  onFailure: () => {
    failures += 1;
  },
});
let last = 0;
for (let count = 0; count < 1000; count += 1) {
  last = eventLog.append({ type: 'update', update: 'x'.repeat(1000) }).seq;
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  await eventLog.ready();
}
await eventLog.close();
process.stdout.write(JSON.stringify({ failures, last }));
