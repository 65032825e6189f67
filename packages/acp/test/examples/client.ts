import { spawn } from 'node:child_process';
import { createClient } from '@parley/acp';
import { streamTransport } from '@parley/wire/node';

const client = createClient({
  info: { name: 'one-question', version: '1.0.0' },
  handlers: {
    'session/update'({ update }) {
      if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') return;
      process.stdout.write(update.content.text);
    },
    'session/request_permission'({ options }) {
      const allow = options.find(({ kind }) => kind === 'allow_once');
      return {
        outcome: allow ? { outcome: 'selected', optionId: allow.optionId } : { outcome: 'cancelled' },
      };
    },
  },
});

const [command = 'agent', ...args] = process.argv.slice(2);
const { stdin, stdout } = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = client.connect(streamTransport({ input: stdout, output: stdin }));
await connection.initialize();
const { sessionId } = await connection.agent.request('session/new', { cwd: process.cwd(), mcpServers: [] });
const prompt = [{ type: 'text', text: 'Is anybody there?' } as const];
const { stopReason } = await connection.agent.request('session/prompt', { sessionId, prompt });
console.log(`\n${stopReason}`);
await connection.close();
