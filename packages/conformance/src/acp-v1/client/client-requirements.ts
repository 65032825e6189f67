import { isAbsolute } from 'node:path';
import { agentNotifications, agentRequests, clientRequests, Invalid } from '@parley/acp';
import { isJsonObject, type JsonObject, valueAt } from '@parley/wire';
import { demand, requireOffered } from '../check-error.ts';
import { listAt, shown } from '../json-value.ts';
import { jsonRpcSpecification, specification } from '../requirement.ts';
import { cancelRequirements } from './cancel-requirements.ts';
import { type ClientRequirement, noTurn, responseTo } from './client-requirement.ts';
import { loadRequirements } from './load-requirements.ts';
import { options, sessionId } from './scripted-agent.ts';
import { terminalRequirements } from './terminal-requirements.ts';

/** What a client has to do by version 1 of the protocol, with how it is checked. */
export const clientChecks: readonly ClientRequirement[] = [
  {
    id: 'CLIENT-INIT-101',
    level: 'required',
    rule: 'The first message of a client is initialize, with an integer as protocolVersion.',
    source: specification('initialization'),
    judge({ messages: [received] }) {
      demand(received?.['method'] === 'initialize', 'the first message is another one', { received });
      const version = valueAt(received['params'], 'protocolVersion');
      demand(Number.isInteger(version), `protocolVersion is ${shown(version)}`, { received });
    },
  },
  {
    id: 'CLIENT-INIT-102',
    level: 'recommended',
    rule: 'The client names itself and its version in clientInfo.',
    source: specification('initialization'),
    judge({ messages: [received] }) {
      for (const key of ['name', 'version']) {
        const value = valueAt(received, 'params', 'clientInfo', key);
        const isNamed = typeof value === 'string' && value !== '';
        demand(isNamed, `clientInfo.${key} is ${shown(value)}`, { received });
      }
    },
  },
  {
    id: 'CLIENT-INIT-103',
    level: 'recommended',
    rule: 'A client ends the connection if the agent answers with a version that the client does not support.',
    source: specification('initialization'),
    scenario: 'unsupported-version',
    judge({ messages, hasEnded }) {
      const received = messages.find(({ method }) => String(method).startsWith('session/'));
      demand(received === undefined, 'the client continued with version 7777', { received });
      demand(hasEnded, 'the client did not end within the time limit');
    },
  },
  {
    id: 'CLIENT-TRANSPORT-101',
    level: 'required',
    rule: 'Each line that a client writes is one JSON-RPC message in UTF-8.',
    source: specification('transports'),
    judge({ lines }) {
      for (const { text, value, fault } of lines) {
        demand(fault === undefined, `a line cannot be read, ${fault}`, { received: text });
        const isMessage =
          isJsonObject(value) && value['jsonrpc'] === '2.0' && ('method' in value || 'id' in value);
        demand(isMessage, 'a line is no JSON-RPC 2.0 message', { received: text });
      }
    },
  },
  {
    id: 'CLIENT-JSONRPC-101',
    level: 'required',
    rule: 'The requests of a client have ids of their own, strings or integers.',
    source: jsonRpcSpecification,
    judge({ messages }) {
      const seen = new Set<unknown>();
      for (const received of messages.filter(isRequest)) {
        const { id } = received;
        demand(typeof id === 'string' || Number.isInteger(id), `the id is ${shown(id)}`, { received });
        demand(!seen.has(id), `the id ${shown(id)} was used before`, { received });
        seen.add(id);
      }
    },
  },
  {
    id: 'CLIENT-JSONRPC-102',
    level: 'required',
    rule: 'Each request of the agent gets exactly one response: a result or an error.',
    source: jsonRpcSpecification,
    judge({ messages, asked }) {
      requireOffered(asked.length > 0, noTurn);
      for (const sent of asked) {
        const responses = messages.filter(({ id, method }) => method === undefined && id === sent['id']);
        const [received] = responses;
        demand(responses.length === 1, `there are ${responses.length} responses`, { sent, received });
        const isOne = received !== undefined && 'result' in received !== 'error' in received;
        demand(isOne, 'not one of result and error', { sent, received });
      }
    },
  },
  {
    id: 'CLIENT-JSONRPC-103',
    level: 'required',
    rule: 'Responses of a client have the id of a request: notifications get none.',
    source: jsonRpcSpecification,
    judge({ messages, asked }) {
      const ids = new Set(asked.map(({ id }) => id));
      const received = messages.find(({ id, method }) => method === undefined && !ids.has(id));
      demand(received === undefined, 'a response has another id', { received });
    },
  },
  {
    id: 'CLIENT-SCHEMA-101',
    level: 'required',
    rule: 'Each message of a client matches the schema.',
    source: specification('schema'),
    judge({ messages, asked }) {
      for (const received of messages) {
        const fault = faultOf(received, asked);
        demand(fault === undefined, String(fault), { received });
      }
    },
  },
  {
    id: 'CLIENT-SESSION-101',
    level: 'required',
    rule: 'session/new has an absolute cwd and a list of MCP servers.',
    source: specification('session-setup'),
    judge({ messages }) {
      const received = messages.find(({ method }) => method === 'session/new');
      requireOffered(received !== undefined, 'the client opens no session');
      const { params } = received;
      const cwd = valueAt(params, 'cwd');
      demand(typeof cwd === 'string' && isAbsolute(cwd), `cwd is ${shown(cwd)}`, { received });
      const servers = valueAt(params, 'mcpServers');
      demand(Array.isArray(servers), `mcpServers is ${shown(servers)}`, { received });
    },
  },
  {
    id: 'CLIENT-SESSION-102',
    level: 'required',
    rule: 'A client uses no method and no MCP transport that the agent does not declare.',
    source: specification('session-setup'),
    judge({ messages }) {
      for (const received of messages.filter(isRequest)) {
        const { method, params } = received;
        const isAllowed = basicMethods.has(method) || String(method).startsWith('_');
        demand(isAllowed, `the agent does not declare ${shown(method)}`, { received });
        const directories = listAt(params, 'additionalDirectories');
        demand(directories.length === 0, 'the agent does not declare additionalDirectories', { received });
        const server = listAt(params, 'mcpServers').find((each) => valueAt(each, 'type') !== undefined);
        demand(server === undefined, `the agent does not declare this transport: ${shown(server)}`, {
          received,
        });
      }
    },
  },
  {
    id: 'CLIENT-PROMPT-101',
    level: 'required',
    rule: 'A prompt names an open session, and has only content that the agent declares.',
    source: specification('prompt-turn'),
    judge({ messages }) {
      const received = messages.find(({ method }) => method === 'session/prompt');
      requireOffered(received !== undefined, noTurn);
      const id = valueAt(received['params'], 'sessionId');
      demand(id === sessionId, `it names the session ${shown(id)}`, { received });
      const types = listAt(received['params'], 'prompt').map((block) => valueAt(block, 'type'));
      demand(types.length > 0, 'it is empty', { received });
      const other = types.find((type) => type !== 'text' && type !== 'resource_link');
      demand(other === undefined, `the agent does not declare ${shown(other)}`, { received });
    },
  },
  {
    id: 'CLIENT-PERM-101',
    level: 'required',
    rule: 'A permission request is answered with one of its options, or cancelled.',
    source: specification('tool-calls'),
    judge(talk) {
      const received = responseTo(talk, 'session/request_permission');
      const outcome = valueAt(received, 'result', 'outcome');
      if (valueAt(outcome, 'outcome') === 'cancelled') return;
      const id = valueAt(outcome, 'optionId');
      const isOffered = options.some(({ optionId }) => optionId === id);
      demand(valueAt(outcome, 'outcome') === 'selected' && isOffered, `the outcome is ${shown(outcome)}`, {
        received,
      });
    },
  },
  {
    id: 'CLIENT-EXT-101',
    level: 'recommended',
    rule: 'An unknown request of the agent is answered with the error -32601.',
    source: specification('extensibility'),
    judge(talk) {
      const received = responseTo(talk, '_parley.check/unknown');
      const code = valueAt(received, 'error', 'code');
      demand(code === -32_601, `the code is ${shown(code)}`, { received });
    },
  },
  {
    id: 'CLIENT-EXT-102',
    level: 'recommended',
    rule: 'Unknown notifications, updates, sessions and tool kinds do not end the connection.',
    source: specification('extensibility'),
    judge({ messages, asked }) {
      requireOffered(asked.length > 0, noTurn);
      const isAnswered = messages.some(({ id, method }) => method === undefined && id === asked[0]?.['id']);
      demand(isAnswered, 'the client answered nothing after them');
    },
  },
  {
    id: 'CLIENT-ELICIT-101',
    level: 'required',
    rule: 'A form is answered with an action, and with an error if the client does not declare forms.',
    source: specification('elicitation'),
    judge(talk) {
      const received = responseTo(talk, 'elicitation/create');
      if (!isJsonObject(valueAt(talk.capabilities, 'elicitation', 'form'))) {
        demand(isJsonObject(received['error']), 'the client does not declare forms', { received });
        return;
      }
      const action = valueAt(received, 'result', 'action');
      const isKnown = ['accept', 'decline', 'cancel'].includes(String(action));
      demand(isKnown, `the action is ${shown(action)}`, { received });
    },
  },
  {
    id: 'CLIENT-FS-101',
    level: 'required',
    rule: 'Reading a file that does not exist, or of a client without files, is answered with an error.',
    source: specification('file-system'),
    judge(talk) {
      const received = responseTo(talk, 'fs/read_text_file');
      demand(isJsonObject(received['error']), 'it was answered with a result', { received });
    },
  },
  ...terminalRequirements,
  ...cancelRequirements,
  ...loadRequirements,
  {
    id: 'CLIENT-ERROR-101',
    level: 'required',
    rule: 'An unknown error code is a failure: the client sends no prompt, and does not wait.',
    source: specification('error'),
    scenario: 'unknown-error',
    judge({ messages, hasEnded }) {
      const received = messages.find(({ method }) => method === 'session/prompt');
      demand(received === undefined, 'the client sent a prompt without a session', { received });
      demand(hasEnded, 'the client did not end within the time limit');
    },
  },
  {
    id: 'CLIENT-END-101',
    level: 'recommended',
    rule: 'A client that has nothing more to ask ends after the turn.',
    source: specification('transports'),
    judge({ hasEnded }) {
      demand(hasEnded, 'the client did not end within the time limit');
    },
  },
];

/** What every agent has. */
const basicMethods: ReadonlySet<unknown> = new Set([
  'initialize',
  'authenticate',
  'session/new',
  'session/prompt',
]);

function isRequest({ id, method }: JsonObject): boolean {
  return method !== undefined && id !== undefined;
}

interface Row {
  readonly parseParams: (value: unknown) => unknown;
  readonly parseResult?: (value: unknown) => unknown;
}

function faultOf(message: JsonObject, asked: readonly JsonObject[]): string | undefined {
  const { id, method, params, result } = message;
  if (typeof method === 'string') {
    const rows: Readonly<Record<string, Row>> = id === undefined ? agentNotifications : agentRequests;
    const row = rows[method];
    if (row === undefined) {
      const isExtension = method.startsWith('_') || method.startsWith('$/');
      return isExtension ? undefined : `${method} is no method of an agent`;
    }
    return invalid(`the params of ${method}`, row.parseParams(params));
  }
  const request = asked.find((each) => each['id'] === id);
  const rows: Readonly<Record<string, Row>> = clientRequests;
  const row = rows[String(request?.['method'])];
  if (row?.parseResult === undefined || message['error'] !== undefined) return undefined;
  return invalid(`the result of ${String(request?.['method'])}`, row.parseResult(result ?? {}));
}

function invalid(what: string, parsed: unknown): string | undefined {
  return parsed instanceof Invalid ? `${what}: ${parsed.message}` : undefined;
}
