import { type JsonObject, valueAt } from '@parley/wire';
import type { SeededClient } from './seeded-client.fixture.ts';

/** A small change to a client that does everything right. */
export interface ClientDefect {
  readonly what: string;
  /** The checks that fail. */
  readonly fails: readonly string[];
  /** Whether the defect is a missing message, which is noticed only at the time limit. @default false */
  readonly isSilent?: true;
  readonly change: (client: SeededClient) => void;
}

/** Changes the params of a request. */
function sending(method: string, change: (params: JsonObject) => JsonObject) {
  return (client: SeededClient): void => {
    const request = client.request.bind(client);
    client.request = (name, params) => request(name, name === method ? change(params) : params);
  };
}

/** Changes the response to a request of the agent. */
function answering(method: string, response: JsonObject) {
  return (client: SeededClient): void => {
    const answers = client.answers.bind(client);
    client.answers = (name, params) => (name === method ? response : answers(name, params));
  };
}

/** Does something before the prompt. */
function beforePrompt(act: (client: SeededClient, sessionId: unknown) => void) {
  return (client: SeededClient): void => {
    const prompt = client.prompt.bind(client);
    client.prompt = (sessionId) => {
      act(client, sessionId);
      prompt(sessionId);
    };
  };
}

/** Seeded defects, each with the checks that notice it. */
export const clientDefects: readonly ClientDefect[] = [
  {
    what: 'opens a session before initialize',
    fails: ['CLIENT-INIT-101', 'CLIENT-INIT-102', 'CLIENT-INIT-103'],
    change: (client) => {
      const start = client.start.bind(client);
      client.start = () => {
        client.send({ id: 'early', method: 'session/new', params: { cwd: '/', mcpServers: [] } });
        start();
      };
    },
  },
  {
    what: 'has a version that is a string',
    fails: ['CLIENT-INIT-101', 'CLIENT-SCHEMA-101'],
    change: sending('initialize', (params) => ({ ...params, protocolVersion: '1' })),
  },
  {
    what: 'has no version',
    fails: ['CLIENT-INIT-101', 'CLIENT-SCHEMA-101'],
    change: sending('initialize', ({ clientInfo, clientCapabilities }) => ({
      clientInfo,
      clientCapabilities,
    })),
  },
  {
    what: 'has no clientInfo',
    fails: ['CLIENT-INIT-102'],
    change: sending('initialize', ({ protocolVersion }) => ({
      protocolVersion,
      clientCapabilities: { elicitation: { form: {} }, terminal: true },
    })),
  },
  {
    what: 'has no version of its own',
    fails: ['CLIENT-INIT-102'],
    change: sending('initialize', (params) => ({ ...params, clientInfo: { name: 'seeded', version: '' } })),
  },
  {
    what: 'continues with any version',
    fails: ['CLIENT-INIT-103'],
    change: (client) => {
      client.supports = () => true;
    },
  },
  {
    what: 'waits after an unsupported version',
    fails: ['CLIENT-INIT-103'],
    isSilent: true,
    change: (client) => {
      const received = client.received.bind(client);
      client.received = (method, message) => {
        if (valueAt(message, 'result', 'protocolVersion') !== 7777) received(method, message);
      };
    },
  },
  {
    what: 'writes text to the agent',
    fails: ['CLIENT-TRANSPORT-101'],
    change: beforePrompt((client) => client.writeText('hello\n')),
  },
  {
    what: 'writes bytes that are not UTF-8',
    fails: ['CLIENT-TRANSPORT-101'],
    change: beforePrompt((client) =>
      client.writeText(Buffer.from('{"jsonrpc":"2.0","method":"_x/\u00ff"}\n', 'latin1')),
    ),
  },
  {
    what: 'writes an empty line',
    fails: ['CLIENT-TRANSPORT-101'],
    change: beforePrompt((client) => client.writeText('\n')),
  },
  {
    what: 'leaves out "jsonrpc"',
    fails: ['CLIENT-TRANSPORT-101'],
    change: beforePrompt((client) => client.writeText('{"method":"_x/y"}\n')),
  },
  {
    what: 'uses one id for all requests',
    fails: ['CLIENT-JSONRPC-101'],
    change: (client) => {
      client.nextId = (count) => Math.min(count, 2);
    },
  },
  {
    what: 'uses fractions as ids',
    fails: ['CLIENT-JSONRPC-101'],
    change: (client) => {
      client.nextId = (count) => count + 0.5;
    },
  },
  {
    what: 'does not answer permission requests',
    fails: ['CLIENT-JSONRPC-102', 'CLIENT-CANCEL-102'],
    isSilent: true,
    change: (client) => {
      const receive = client.receive.bind(client);
      client.receive = (message) => {
        if (message['method'] !== 'session/request_permission') receive(message);
      };
    },
  },
  {
    what: 'answers requests twice',
    fails: ['CLIENT-JSONRPC-102'],
    change: (client) => {
      const send = client.send.bind(client);
      client.send = (message) => {
        send(message);
        if (message['method'] === undefined) send(message);
      };
    },
  },
  {
    what: 'answers with result and error',
    fails: ['CLIENT-JSONRPC-102'],
    change: answering('_parley.check/unknown', { result: {}, error: { code: -32_601, message: 'x' } }),
  },
  {
    what: 'answers with neither result nor error',
    fails: ['CLIENT-JSONRPC-102', 'CLIENT-EXT-101'],
    change: answering('_parley.check/unknown', {}),
  },
  {
    what: 'answers notifications',
    fails: ['CLIENT-JSONRPC-103'],
    change: (client) => {
      client.notified = () =>
        client.send({ id: null, error: { code: -32_601, message: 'Method not found' } });
    },
  },
  {
    what: 'answers under an id that is a string',
    fails: ['CLIENT-JSONRPC-102', 'CLIENT-JSONRPC-103'],
    isSilent: true,
    change: (client) => {
      const send = client.send.bind(client);
      client.send = (message) => {
        const isPermission = message['method'] === undefined && message['id'] === 7;
        send(isPermission ? { ...message, id: '7' } : message);
      };
    },
  },
  {
    what: 'sends a method that agents do not have',
    fails: ['CLIENT-SCHEMA-101', 'CLIENT-SESSION-102'],
    change: beforePrompt((client) => client.send({ id: 'x', method: 'session/parley_check', params: {} })),
  },
  {
    what: 'has a prompt that is a string',
    fails: ['CLIENT-SCHEMA-101', 'CLIENT-PROMPT-101'],
    change: sending('session/prompt', (params) => ({ ...params, prompt: 'hello' })),
  },
  {
    what: 'has a relative cwd',
    fails: ['CLIENT-SESSION-101'],
    change: sending('session/new', (params) => ({ ...params, cwd: '.' })),
  },
  {
    what: 'loads a session of an agent that cannot',
    fails: ['CLIENT-SESSION-102'],
    change: beforePrompt((client, sessionId) =>
      client.send({ id: 'x', method: 'session/load', params: { sessionId, cwd: '/', mcpServers: [] } }),
    ),
  },
  {
    what: 'closes a session of an agent that cannot',
    fails: ['CLIENT-SESSION-102'],
    change: beforePrompt((client) =>
      client.send({ id: 'x', method: 'session/close', params: { sessionId: 'other' } }),
    ),
  },
  {
    what: 'logs out of an agent that cannot',
    fails: ['CLIENT-SESSION-102'],
    change: beforePrompt((client) => client.send({ id: 'x', method: 'logout', params: {} })),
  },
  {
    what: 'sends directories that the agent does not declare',
    fails: ['CLIENT-SESSION-102'],
    change: sending('session/new', (params) => ({ ...params, additionalDirectories: ['/tmp'] })),
  },
  {
    what: 'sends an HTTP server that the agent does not declare',
    fails: ['CLIENT-SESSION-102'],
    change: sending('session/new', (params) => ({
      ...params,
      mcpServers: [{ type: 'http', name: 'x', url: 'https://example.com', headers: [] }],
    })),
  },
  {
    what: 'prompts another session',
    fails: ['CLIENT-PROMPT-101'],
    change: sending('session/prompt', (params) => ({ ...params, sessionId: 'another' })),
  },
  {
    what: 'sends an image that the agent does not declare',
    fails: ['CLIENT-PROMPT-101'],
    change: sending('session/prompt', (params) => ({
      ...params,
      prompt: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }],
    })),
  },
  {
    what: 'sends an empty prompt',
    fails: ['CLIENT-PROMPT-101'],
    change: sending('session/prompt', (params) => ({ ...params, prompt: [] })),
  },
  {
    what: 'selects an option that was not offered',
    fails: ['CLIENT-PERM-101', 'CLIENT-CANCEL-102'],
    change: answering('session/request_permission', {
      result: { outcome: { outcome: 'selected', optionId: 'maybe' } },
    }),
  },
  {
    what: 'answers an unknown request with a result',
    fails: ['CLIENT-EXT-101'],
    change: answering('_parley.check/unknown', { result: {} }),
  },
  {
    what: 'ends at an unknown notification',
    fails: ['CLIENT-JSONRPC-102', 'CLIENT-EXT-102', 'CLIENT-LOAD-102'],
    isSilent: true,
    change: (client) => {
      client.notified = () => client.end();
      client.receive = ((receive) => (message: JsonObject) => {
        if (message['id'] !== 'unknown-1') receive(message);
      })(client.receive.bind(client));
    },
  },
  {
    what: 'answers a form that it does not declare',
    fails: ['CLIENT-ELICIT-101'],
    change: sending('initialize', (params) => ({ ...params, clientCapabilities: { terminal: true } })),
  },
  {
    what: 'answers a missing file with a result',
    fails: ['CLIENT-FS-101'],
    change: answering('fs/read_text_file', { result: { content: '' } }),
  },
  {
    what: 'prompts although there is no session',
    fails: ['CLIENT-ERROR-101'],
    change: (client) => {
      const failed = client.failed.bind(client);
      client.failed = (method) => {
        if (method === 'session/new') client.prompt('none');
        else failed(method);
      };
    },
  },
  {
    what: 'waits after an unknown error',
    fails: ['CLIENT-ERROR-101'],
    isSilent: true,
    change: (client) => {
      client.failed = () => undefined;
    },
  },
  {
    what: 'does not end after its turn',
    fails: ['CLIENT-END-101', 'CLIENT-INIT-103', 'CLIENT-ERROR-101'],
    isSilent: true,
    change: (client) => {
      client.end = () => undefined;
    },
  },
  {
    what: 'runs commands although it does not declare terminals',
    fails: ['CLIENT-TERM-101'],
    change: sending('initialize', (params) => ({
      ...params,
      clientCapabilities: { elicitation: { form: {} } },
    })),
  },
  {
    what: 'has a terminalId that is a number',
    fails: ['CLIENT-TERM-101', 'CLIENT-SCHEMA-101'],
    change: answering('terminal/create', { result: { terminalId: 5 } }),
  },
  {
    what: 'does not report how a command ended',
    fails: ['CLIENT-TERM-102'],
    change: answering('terminal/wait_for_exit', { result: {} }),
  },
  {
    what: 'loses the output of a command',
    fails: ['CLIENT-TERM-102', 'CLIENT-TERM-103'],
    change: answering('terminal/output', {
      result: { output: '', truncated: false, exitStatus: { exitCode: 0 } },
    }),
  },
  {
    what: 'reports output of a command that has ended as if it were running',
    fails: ['CLIENT-TERM-102', 'CLIENT-TERM-103'],
    change: answering('terminal/output', { result: { output: 'parley-check', truncated: false } }),
  },
  {
    what: 'goes on with a released terminal',
    fails: ['CLIENT-TERM-103'],
    change: (client) => {
      client.release = () => undefined;
    },
  },
  {
    what: 'cancels with a request, and ends when that fails',
    fails: ['CLIENT-CANCEL-101', 'CLIENT-CANCEL-102'],
    change: (client) => {
      client.cancel = (params) => client.request('session/cancel', params);
    },
  },
  {
    what: 'cancels without naming the session',
    fails: ['CLIENT-CANCEL-101'],
    change: (client) => {
      client.cancel = () => client.send({ method: 'session/cancel', params: {} });
    },
  },
  {
    what: 'cancels another session',
    fails: ['CLIENT-CANCEL-101'],
    change: (client) => {
      const cancel = client.cancel.bind(client);
      client.cancel = () => cancel({ sessionId: 'another' });
    },
  },
  {
    what: 'rejects instead of cancelling what is asked in a cancelled turn',
    fails: ['CLIENT-CANCEL-102'],
    change: (client) => {
      client.outcome = () => ({ outcome: 'selected', optionId: 'no' });
    },
  },
  {
    what: 'allows what is asked in a cancelled turn',
    fails: ['CLIENT-CANCEL-102'],
    change: (client) => {
      const outcome = client.outcome.bind(client);
      client.outcome = (isCancelled) =>
        isCancelled ? { outcome: 'selected', optionId: 'yes' } : outcome(false);
    },
  },
  {
    what: 'ends the connection as soon as it has cancelled',
    fails: ['CLIENT-CANCEL-102'],
    change: (client) => {
      const interrupted = client.interrupted.bind(client);
      client.interrupted = () => {
        interrupted();
        client.end();
      };
    },
  },
  {
    what: 'loads a session with a relative cwd',
    fails: ['CLIENT-LOAD-101'],
    change: sending('session/load', (params) => ({ ...params, cwd: '.' })),
  },
  {
    what: 'loads a session without MCP servers',
    fails: ['CLIENT-LOAD-101'],
    change: sending('session/load', ({ sessionId, cwd }) => ({ sessionId, cwd })),
  },
  {
    what: 'sends a prompt before the session is loaded',
    fails: ['CLIENT-LOAD-102'],
    change: (client) => {
      const open = client.open.bind(client);
      client.open = (canLoad) => {
        open(canLoad);
        if (canLoad) client.prompt('stored');
      };
    },
  },
  {
    what: 'ends the connection during the replay',
    fails: ['CLIENT-LOAD-102'],
    change: (client) => {
      const notified = client.notified.bind(client);
      client.notified = (method, params) => {
        notified(method, params);
        if (valueAt(params, 'sessionId') === 'stored') client.end();
      };
    },
  },
];
