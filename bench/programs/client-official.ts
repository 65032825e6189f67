import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { drive } from './drive.ts';
import { readContent } from './payload.ts';

await drive(async ({ input, output }, tally) => {
  const connection = acp
    .client({ name: 'bench-client' })
    .onNotification(acp.methods.client.session.update, ({ params }) => tally.count(params.update))
    .onRequest(acp.methods.client.session.requestPermission, () => ({ outcome: { outcome: 'cancelled' } }))
    .onRequest(acp.methods.client.fs.readTextFile, () => {
      tally.countRead();
      return { content: readContent };
    })
    .connect(
      acp.ndJsonStream(Writable.toWeb(input), Readable.toWeb(output), { maxMessageBytes: 80 * 1024 * 1024 }),
    );
  const { agent } = connection;
  await agent.request(acp.methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientInfo: { name: 'bench-client', version: '1.0.0' },
    clientCapabilities: { fs: { readTextFile: true } },
  });
  const { sessionId } = await agent.request(acp.methods.agent.session.new, {
    cwd: process.cwd(),
    mcpServers: [],
  });
  return {
    prompt: (text) =>
      agent.request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    close: () => connection.close(),
  };
});
