import { isJsonObject, valueAt } from '@parley/wire';
import { demand } from '../check-error.ts';
import { initializeParams, textPrompt } from '../check-kit.ts';
import type { CheckKit } from '../check-kit.ts';
import { shown } from '../json-value.ts';
import type { AgentRequirement } from '../requirement.ts';
import { openOne } from './prompt.ts';

/** What an agent puts up with, and how it ends. */
export const tolerance: readonly AgentRequirement[] = [
  {
    id: 'ACP-EXT-001',
    tier: 'mandatory',
    title: 'a request of an unknown extension is answered',
    async run(kit) {
      const { agent } = await kit.open();
      await agent.ask('_parley.check/unknown', { any: ['thing'] });
    },
  },
  {
    id: 'ACP-META-001',
    tier: 'advisory',
    title: '_meta is taken everywhere',
    async run(kit) {
      const agent = await kit.start();
      const _meta = { 'parley.check': { deep: [1, null] }, traceparent: trace };
      await agent.request('initialize', { ...initializeParams(), _meta });
      const session = await kit.openSession(agent, { _meta });
      await agent.request('session/prompt', { ...textPrompt(session, kit.prompts.plain), _meta });
    },
  },
  {
    id: 'ACP-ERROR-001',
    tier: 'advisory',
    title: 'the message of an error is one line',
    async run(kit) {
      const { agent, session } = await openOne(kit);
      const bad = [
        await agent.ask('parley/check', {}),
        await agent.ask('session/prompt', { sessionId: session.sessionId, prompt: 'no list' }),
        await agent.ask('session/new', {}),
      ];
      for (const { method, message } of bad) {
        const text = valueAt(message, 'error', 'message');
        const isLine = typeof text === 'string' && text.trim() !== '' && !/[\r\n]/u.test(text);
        demand(isLine, `${method} was answered with the message ${shown(text)}`);
      }
    },
  },
  {
    id: 'ACP-SHUTDOWN-001',
    tier: 'advisory',
    title: 'the agent exits when its input ends',
    async run(kit) {
      const { agent } = await openOne(kit);
      const status = await agent.closeInput();
      demand(status !== undefined, 'the agent still runs after the end of its input');
    },
  },
  {
    id: 'ACP-STDERR-001',
    tier: 'informational',
    title: 'how much the agent writes to standard error',
    async run(kit) {
      const { agent, session } = await openOne(kit);
      await agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
      await agent.end();
      return `${agent.stderrBytes} bytes`;
    },
  },
  {
    id: 'ACP-INFO-PARSE-001',
    tier: 'informational',
    title: 'what becomes of a line that is no JSON',
    run: (kit) => replyTo(kit, '{"jsonrpc": "2.0", "id": 1, "method": '),
  },
  {
    id: 'ACP-INFO-INVALIDREQ-001',
    tier: 'informational',
    title: 'what becomes of a message that is no JSON-RPC',
    run: (kit) => replyTo(kit, '{"id": "bad", "method": 5}'),
  },
  {
    id: 'ACP-INFO-UNKNOWNSESSION-001',
    tier: 'informational',
    title: 'what becomes of a prompt to an unknown session',
    async run(kit) {
      const { agent } = await kit.open();
      const { message } = await agent.ask(
        'session/prompt',
        textPrompt({ sessionId: 'none' }, kit.prompts.plain),
      );
      return isJsonObject(message['error'])
        ? `the error ${shown(message['error'])}`
        : shown(message['result']);
    },
  },
];

const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** What comes in reply to a line, and whether the agent goes on. */
async function replyTo(kit: CheckKit, line: string): Promise<string> {
  const { agent } = await kit.open();
  agent.writeLine(line);
  const next = agent.send('session/new', { cwd: await kit.folder(), mcpServers: [] });
  try {
    await agent.answerTo(next);
  } catch (error) {
    return `the agent does not go on: ${error instanceof Error ? error.message : String(error)}`;
  }
  const ids = new Set<unknown>(agent.sent.map(({ id }) => id));
  const reply = agent.messages.find(({ id, method }) => method === undefined && !ids.has(id));
  return reply === undefined ? 'no reply' : shown(reply);
}
