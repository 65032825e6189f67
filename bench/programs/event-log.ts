import { filesStore } from '@parley/host';
import { emptyState, reduce } from '@parley/host/state';
import { chunkUpdate, toolUpdate } from './payload.ts';

const [, , what = '', folder = '', key = '', count = '0'] = process.argv;

if (what === 'write') {
  const eventLog = await filesStore(folder).open(key, {
    start: { agent: 'bench', cwd: '/', program: 'bench' },
    onFailure: (error) => {
      throw error;
    },
  });
  // A message of twenty pieces, then a call with twenty updates, and so on.
  for (let index = 0; index < Number(count); index++) {
    const round = Math.floor(index / 40);
    const isChunk = index % 40 < 20;
    const update = isChunk
      ? { ...chunkUpdate(index), messageId: `message-${round}` }
      : { ...toolUpdate(index), toolCallId: `call-${round}` };
    eventLog.append({ type: 'update', update });
    await eventLog.ready();
  }
  await eventLog.close();
  console.log('{}');
} else {
  const start = performance.now();
  let view = emptyState;
  await filesStore(folder).read(key, (event) => {
    view = reduce(view, event);
  });
  const milliseconds = performance.now() - start;
  console.log(JSON.stringify({ milliseconds, events: view.seq, items: view.items.length }));
}
