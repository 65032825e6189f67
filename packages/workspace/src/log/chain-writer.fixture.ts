import { openChainedLog } from './chained-log.ts';

/** Appends twenty entries under a name, two at a time. */
const [, , directory = '', by = ''] = process.argv;
const log = openChainedLog({ directory, format: { name: 'test', version: 1 } });
for (let count = 0; count < 20; count += 2) {
  await Promise.all([log.append({ by, count }), log.append({ by, count: count + 1 })]);
}
