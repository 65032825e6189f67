import { basename, dirname } from 'node:path';
import { filesStore } from './files-store.ts';

// Writes more than it may, and prints how often that was reported and what number the last event had.
let failures = 0;
const [, , folder = ''] = process.argv;
const eventLog = await filesStore(dirname(folder)).open(basename(folder), {
  start: { agent: 'test', cwd: '/', program: 'test' },
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
