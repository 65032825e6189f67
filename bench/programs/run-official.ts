import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';

// `parley run --format quiet PROMPT -- node AGENT`, written on the official package: one turn, then the agent's message.
const [, , prompt = '', ...agentCommand] = process.argv;
const child = spawn(process.execPath, agentCommand, { stdio: ['pipe', 'pipe', 'inherit'] });
const texts: string[] = [];
const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));

await acp
  .client({ name: 'bench-client' })
  .onNotification(acp.methods.client.session.update, ({ params: { update } }) => {
    if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') return;
    texts.push(update.content.text);
  })
  .onRequest(acp.methods.client.session.requestPermission, () => ({ outcome: { outcome: 'cancelled' } }))
  .connectWith(stream, async (agent) => {
    await agent.request(acp.methods.agent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientInfo: { name: 'bench-client', version: '1.0.0' },
    });
    const { sessionId } = await agent.request(acp.methods.agent.session.new, {
      cwd: process.cwd(),
      mcpServers: [],
    });
    await agent.request(acp.methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text: prompt }],
    });
  });
process.stdout.write(`${texts.join('')}\n`);
child.stdin.end();
