import { createAgent, createClient } from '@parley/acp';
import { memoryPair } from '@parley/wire';
import { reportHeap } from './heap.ts';

const agent = createAgent({
  info: { name: 'bench-agent', version: '1.0.0' },
  handlers: {
    'session/new': () => ({ sessionId: 'session' }),
    'session/prompt': () => ({ stopReason: 'end_turn' }),
  },
});
const client = createClient({
  info: { name: 'bench-client', version: '1.0.0' },
  handlers: {
    'session/update': () => undefined,
    'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
  },
});

await reportHeap(async () => {
  const [left, right] = memoryPair();
  const serving = agent.connect(left);
  const connection = client.connect(right);
  await connection.initialize();
  await connection.agent.request('session/new', { cwd: '/', mcpServers: [] });
  return [serving, connection];
});
