import { isJsonObject, valueAt } from '@parley/wire';
import { demand } from '../check-error.ts';
import { initializeParams, textPrompt } from '../check-kit.ts';
import { wholeConversation } from '../conversation.ts';
import { shown } from '../json-value.ts';
import type { AgentRequirement } from '../requirement.ts';

/** JSON-RPC 2.0. */
export const jsonRpc: readonly AgentRequirement[] = [
  {
    id: 'ACP-JSONRPC-001',
    tier: 'mandatory',
    title: 'an answer has the id of its request, a number or a text',
    async run(kit) {
      const agent = await kit.start();
      for (const [index, id] of [7, 'text-id', '8', 0].entries()) {
        const method = index === 0 ? 'initialize' : 'session/new';
        const params = index === 0 ? initializeParams() : { cwd: await kit.folder(), mcpServers: [] };
        const { message } = await agent.ask(method, params, id);
        demand(message['id'] === id, `the id ${shown(id)} was answered as ${shown(message['id'])}`);
      }
      await agent.end();
      const ids = agent.messages.flatMap(({ id, method }) => (method === undefined ? [id] : []));
      demand(ids.length === 4, `4 requests were answered by ${ids.length} messages: ${shown(ids)}`);
    },
  },
  {
    id: 'ACP-JSONRPC-002',
    tier: 'mandatory',
    title: 'an answer has a result or an error, and an error is well formed',
    async run(kit) {
      const { agent } = await wholeConversation(kit);
      const answers = agent.messages.filter(({ method }) => method === undefined);
      for (const answer of answers) {
        demand('result' in answer !== 'error' in answer, `not one of result and error: ${shown(answer)}`);
        const { error } = answer;
        if (error === undefined) continue;
        const isWhole =
          Number.isInteger(valueAt(error, 'code')) && typeof valueAt(error, 'message') === 'string';
        demand(isWhole, `an error has no whole number as code, or no message: ${shown(error)}`);
      }
    },
  },
  {
    id: 'ACP-JSONRPC-003',
    tier: 'mandatory',
    title: 'notifications are not answered',
    async run(kit) {
      const { agent } = await kit.open();
      const { sessionId } = await kit.openSession(agent);
      agent.notify('_parley.check/heard', { sessionId });
      agent.notify('$/parley.check', {});
      agent.notify('$/cancel_request', { requestId: 'none' });
      agent.notify('session/cancel', { sessionId });
      agent.notify('session/cancel', { sessionId: 'none' });
      await kit.openSession(agent);
      await agent.end();
      const ids = new Set<unknown>(agent.sent.map(({ id }) => id));
      const extra = agent.messages.find(({ id, method }) => method === undefined && !ids.has(id));
      demand(extra === undefined, `a notification was answered: ${shown(extra)}`);
    },
  },
  {
    id: 'ACP-JSONRPC-004',
    tier: 'advisory',
    title: 'an unknown method is answered -32601',
    async run(kit) {
      const { agent } = await kit.open();
      for (const method of ['parley/check', 'session/parley_check']) {
        const { message } = await agent.ask(method, {});
        demand(valueAt(message, 'error', 'code') === -32601, `${method} was answered ${shown(message)}`);
      }
    },
  },
  {
    id: 'ACP-JSONRPC-005',
    tier: 'advisory',
    title: 'after an error the connection goes on',
    async run(kit) {
      const { agent } = await kit.open();
      const { message } = await agent.ask('parley/check', {});
      demand(isJsonObject(message['error']), `an unknown method was answered ${shown(message)}`);
      await agent.ask('session/prompt', { sessionId: 5, prompt: 'no list' });
      const session = await kit.openSession(agent);
      await agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
    },
  },
];
