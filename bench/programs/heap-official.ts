import * as acp from '@agentclientprotocol/sdk';
import { reportHeap } from './heap.ts';

const agent = acp
  .agent({ name: 'bench-agent' })
  .onRequest(acp.methods.agent.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentCapabilities: {},
  }))
  .onRequest(acp.methods.agent.session.new, () => ({ sessionId: 'session' }))
  .onRequest(acp.methods.agent.session.prompt, () => ({ stopReason: 'end_turn' }));
const client = acp
  .client({ name: 'bench-client' })
  .onNotification(acp.methods.client.session.update, () => undefined)
  .onRequest(acp.methods.client.session.requestPermission, () => ({ outcome: { outcome: 'cancelled' } }));

await reportHeap(async () => {
  const connection = client.connect(agent);
  await connection.agent.request(acp.methods.agent.initialize, { protocolVersion: acp.PROTOCOL_VERSION });
  await connection.agent.request(acp.methods.agent.session.new, { cwd: '/', mcpServers: [] });
  return connection;
});
