import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { readPath, sessionId } from './payload.ts';
import { perform } from './perform.ts';

acp
  .agent({ name: 'bench-agent' })
  .onRequest(acp.methods.agent.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentInfo: { name: 'bench-agent', version: '1.0.0' },
    agentCapabilities: {},
  }))
  .onRequest(acp.methods.agent.session.new, () => ({ sessionId }))
  .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
    const [block] = params.prompt;
    await perform(block?.type === 'text' ? block.text : '', {
      update: (update) => client.notify(acp.methods.client.session.update, { sessionId, update }),
      read: async () => {
        const { content } = await client.request(acp.methods.client.fs.readTextFile, {
          sessionId,
          path: readPath,
        });
        return content;
      },
    });
    return { stopReason: 'end_turn' };
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
