import { isJsonObject, valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand } from '../check-error.ts';
import { textPrompt } from '../check-kit.ts';
import { initializeParams } from '../client-services.ts';
import { shown } from '../json-value.ts';
import { jsonRpcSpecification as source, specification } from '../requirement.ts';

/** JSON-RPC 2.0. */
export const jsonRpc: readonly AgentRequirement[] = [
  {
    id: 'ACP-JSONRPC-001',
    level: 'required',
    rule: 'A response has the id of its request, a number or a string.',
    source,
    needs: 'session',
    isAlone: true,
    async run(kit) {
      const agent = await kit.start();
      const ids = [7, 'text-id', '8', 0, Number.MAX_SAFE_INTEGER];
      for (const [index, id] of ids.entries()) {
        const method = index === 0 ? 'initialize' : 'session/new';
        const params = index === 0 ? initializeParams() : { cwd: await kit.folder(), mcpServers: [] };
        const { message } = await agent.ask(method, params, id);
        demand(message['id'] === id, `the id ${shown(id)} was answered as ${shown(message['id'])}`);
      }
    },
  },
  {
    id: 'ACP-JSONRPC-002',
    level: 'required',
    rule: 'A response has either a result or an error, and an error has an integer code and a message.',
    source,
    needs: 'initialize',
    judge({ agent }) {
      for (const received of agent.messages.filter(({ method }) => method === undefined)) {
        demand('result' in received !== 'error' in received, 'not one of result and error', { received });
        const { error } = received;
        if (error === undefined) continue;
        const isWhole =
          Number.isInteger(valueAt(error, 'code')) && typeof valueAt(error, 'message') === 'string';
        demand(isWhole, 'an error has no integer code or no message', { received });
      }
    },
  },
  {
    id: 'ACP-JSONRPC-003',
    level: 'required',
    rule: 'Notifications get no response.',
    source,
    needs: 'session',
    isAlone: true,
    async run(kit) {
      const { agent, session } = await kit.openOne();
      const { sessionId } = session;
      agent.notify('_parley.check/event', { sessionId });
      agent.notify('$/parley.check', {});
      agent.notify('$/cancel_request', { requestId: 'none' });
      agent.notify('session/cancel', { sessionId });
      await kit.openSession(agent);
      await agent.end();
      const ids = new Set<unknown>(agent.sent.map(({ id }) => id));
      const received = agent.messages.find(({ id, method }) => method === undefined && !ids.has(id));
      demand(received === undefined, 'a notification was answered', { received });
    },
  },
  {
    id: 'ACP-JSONRPC-004',
    level: 'recommended',
    rule: 'An unknown method is answered with the error -32601.',
    source: specification('extensibility'),
    needs: 'initialize',
    async run(kit) {
      const { agent } = await kit.open();
      for (const method of ['parley/check', 'session/parley_check']) {
        const { message } = await agent.ask(method, {});
        demand(valueAt(message, 'error', 'code') === -32_601, `${method} was answered otherwise`);
      }
    },
  },
  {
    id: 'ACP-JSONRPC-005',
    level: 'recommended',
    rule: 'The connection can be used after an error.',
    source,
    needs: 'turn',
    isAlone: true,
    async run(kit) {
      const { agent } = await kit.open();
      const { message } = await agent.ask('parley/check', {});
      demand(isJsonObject(message['error']), 'an unknown method was answered without an error');
      await agent.ask('session/prompt', { sessionId: 5, prompt: 'no list' });
      const session = await kit.openSession(agent);
      await agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
    },
  },
  {
    id: 'ACP-JSONRPC-101',
    level: 'required',
    rule: 'Each request gets exactly one response.',
    source,
    needs: 'initialize',
    judge({ agent }) {
      const seen = new Set<unknown>();
      for (const received of agent.messages.filter(({ method }) => method === undefined)) {
        const { id } = received;
        if (id === null) continue;
        demand(!seen.has(id), `a second response has the id ${shown(id)}`, { received });
        seen.add(id);
      }
    },
  },
  {
    id: 'ACP-JSONRPC-102',
    level: 'required',
    rule: 'The requests of the agent have ids of their own, strings or integers.',
    source,
    needs: 'turn',
    judge({ agent }) {
      const seen = new Set<unknown>();
      for (const received of agent.messages) {
        const { id, method } = received;
        if (method === undefined || id === undefined) continue;
        demand(
          typeof id === 'string' || Number.isInteger(id),
          `the id ${shown(id)} is no string and no integer`,
          { received },
        );
        demand(!seen.has(id), `the id ${shown(id)} was used before`, { received });
        seen.add(id);
      }
    },
  },
  {
    id: 'ACP-INFO-PARSE-001',
    level: 'recommended',
    rule: 'A line that is not JSON is answered with the error -32700 and the id null, or ignored, and the connection continues.',
    source,
    needs: 'session',
    isAlone: true,
    async run(kit) {
      const { agent } = await kit.open();
      agent.writeLine('{"jsonrpc": "2.0", "id": 1, "method": ');
      await kit.openSession(agent);
      const ids = new Set<unknown>(agent.sent.map(({ id }) => id));
      const received = agent.messages.find(({ id, method }) => method === undefined && !ids.has(id));
      if (received === undefined) return;
      const isRight = valueAt(received, 'error', 'code') === -32_700 && received['id'] === null;
      demand(isRight, 'the line was answered otherwise', { received });
    },
  },
  {
    id: 'ACP-INFO-INVALIDREQ-001',
    level: 'recommended',
    rule: 'A message that is no JSON-RPC request is answered with an error, and the connection continues.',
    source,
    needs: 'session',
    isAlone: true,
    async run(kit) {
      const { agent } = await kit.open();
      agent.writeLine('{"jsonrpc": "2.0", "id": "bad", "method": 5}');
      await kit.openSession(agent);
      const received = agent.messages.find(
        ({ id, method }) => method === undefined && (id === 'bad' || id === null),
      );
      demand(received === undefined || isJsonObject(received['error']), 'it was answered with a result', {
        received,
      });
    },
  },
];
