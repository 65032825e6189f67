import { valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand } from '../check-error.ts';
import { textPrompt } from '../check-kit.ts';
import { initializeParams } from '../client-services.ts';
import { shown } from '../json-value.ts';
import { specification } from '../requirement.ts';

const extensibility = specification('extensibility');

/** What an agent tolerates, and how it ends. */
export const tolerance: readonly AgentRequirement[] = [
  {
    id: 'ACP-EXT-001',
    level: 'required',
    rule: 'A request of an unknown extension gets a response.',
    source: extensibility,
    needs: 'initialize',
    async run(kit) {
      const { agent } = await kit.open();
      await agent.ask('_parley.check/unknown', { any: ['thing'] });
    },
  },
  {
    id: 'ACP-EXT-101',
    level: 'recommended',
    rule: 'Fields that the agent does not know are ignored.',
    source: extensibility,
    needs: 'turn',
    async run(kit) {
      const { agent } = await kit.open();
      const session = await kit.openSession(agent, { parleyCheck: { deep: [1, null] } });
      const prompt = textPrompt(session, kit.prompts.plain);
      await agent.request('session/prompt', { ...prompt, parleyCheck: true });
    },
  },
  {
    id: 'ACP-META-001',
    level: 'recommended',
    rule: 'Any "_meta" is accepted.',
    source: extensibility,
    needs: 'turn',
    isAlone: true,
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
    level: 'recommended',
    rule: 'The message of an error is one line.',
    source: specification('error'),
    needs: 'session',
    async run(kit) {
      const { agent, session } = await kit.openOne();
      const bad = [
        await agent.ask('parley/check', {}),
        await agent.ask('session/prompt', { sessionId: session.sessionId, prompt: 'no list' }),
        await agent.ask('session/new', {}),
      ];
      for (const { method, message } of bad) {
        const text = valueAt(message, 'error', 'message');
        const isLine = typeof text === 'string' && text.trim() !== '' && !/[\r\n]/u.test(text);
        const found = `${method} was answered with the message ${shown(text)}`;
        demand(text === undefined || isLine, found, { received: message });
      }
    },
  },
  {
    id: 'ACP-SHUTDOWN-001',
    level: 'recommended',
    rule: 'The agent exits when its input ends.',
    source: specification('transports'),
    needs: 'initialize',
    isAlone: true,
    async run(kit) {
      const { agent } = await kit.open();
      const status = await agent.closeInput();
      demand(status !== undefined, 'the agent still runs after the end of its input');
    },
  },
];

const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
