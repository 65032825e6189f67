import { valueAt } from '@parley/wire';
import { type AgentDefect, greeting, working } from './change-agent.fixture.ts';

/** Framing and JSON-RPC. */
export const framingDefects: readonly AgentDefect[] = [
  {
    what: 'writes text to standard output',
    fails: ['ACP-TRANSPORT-001'],
    change: greeting((agent) => agent.writeText('thinking…\n')),
  },
  {
    what: 'writes pretty-printed JSON',
    fails: ['ACP-TRANSPORT-001'],
    change: working((agent) => agent.writeText('{\n  "jsonrpc": "2.0",\n  "method": "_x/y"\n}\n')),
  },
  {
    what: 'leaves out "jsonrpc"',
    fails: ['ACP-TRANSPORT-001'],
    change: working((agent) => agent.writeText('{"method":"_x/y"}\n')),
  },
  {
    what: 'writes bytes that are not UTF-8',
    fails: ['ACP-TRANSPORT-001', 'ACP-TRANSPORT-002'],
    change: greeting((agent) =>
      agent.writeText(Buffer.from('{"jsonrpc":"2.0","method":"_x/\u00ff"}\n', 'latin1')),
    ),
  },
  {
    what: 'answers with the id as a string',
    fails: ['ACP-INIT-001'],
    isSilent: true,
    change: (agent) => {
      agent.answer = (id, value) => agent.write({ id: String(id), result: value });
    },
  },
  {
    what: 'rounds large ids',
    fails: ['ACP-JSONRPC-001'],
    isSilent: true,
    change: (agent) => {
      agent.answer = (id, value) =>
        agent.write({ id: typeof id === 'number' && id > 2 ** 40 ? Math.fround(id) : id, result: value });
    },
  },
  {
    what: 'answers a request twice',
    fails: ['ACP-JSONRPC-101'],
    change: (agent) => {
      const answer = agent.answer.bind(agent);
      agent.answer = (id, value) => {
        answer(id, value);
        if (valueAt(value, 'stopReason') !== undefined) answer(id, value);
      };
    },
  },
  {
    what: 'answers with result and error',
    fails: ['ACP-JSONRPC-002', 'ACP-ERROR-001'],
    change: (agent) => {
      agent.refuse = (id, code, message) =>
        agent.write({ id, result: null, error: { code, message: `${message}\n` } });
    },
  },
  {
    what: 'uses a string as error code',
    fails: ['ACP-JSONRPC-002', 'ACP-JSONRPC-004'],
    change: (agent) => {
      agent.unknownMethod = (id) => agent.refuse(id, 'E_METHOD', 'Method not found');
    },
  },
  {
    what: 'answers notifications',
    fails: ['ACP-JSONRPC-003'],
    change: (agent) => {
      const notified = agent.notified.bind(agent);
      agent.notified = (method, params) => {
        notified(method, params);
        agent.answer(null, {});
      };
    },
  },
  {
    what: 'answers an unknown method with another code',
    fails: ['ACP-JSONRPC-004'],
    change: (agent) => {
      agent.unknownMethod = (id) => agent.refuse(id, -32_603, 'Method not found');
    },
  },
  {
    what: 'exits at an unknown method',
    fails: ['ACP-JSONRPC-004', 'ACP-JSONRPC-005', 'ACP-EXT-001', 'ACP-ERROR-001'],
    change: (agent) => {
      agent.unknownMethod = () => agent.exit(3);
    },
  },
  {
    what: 'does not answer an unknown extension',
    fails: ['ACP-EXT-001'],
    isSilent: true,
    change: (agent) => {
      const call = agent.call.bind(agent);
      agent.call = async (id, method, params) => {
        if (!method.startsWith('_')) await call(id, method, params);
      };
    },
  },
  {
    what: 'answers a broken line with the id 0',
    fails: ['ACP-INFO-PARSE-001'],
    change: (agent) => {
      agent.unparsable = () => agent.refuse(77, -32_700, 'Parse error');
    },
  },
  {
    what: 'exits at a broken line',
    fails: ['ACP-INFO-PARSE-001'],
    change: (agent) => {
      agent.unparsable = () => agent.exit(1);
    },
  },
  {
    what: 'answers a message that is no request with a result',
    fails: ['ACP-INFO-INVALIDREQ-001'],
    change: (agent) => {
      const refuse = agent.refuse.bind(agent);
      agent.refuse = (id, code, message) => {
        if (code === -32_600 && id === 'bad') agent.answer(id, {});
        else refuse(id, code, message);
      };
    },
  },
  {
    what: 'uses one id for all its requests',
    fails: ['ACP-JSONRPC-102'],
    change: (agent) => {
      agent.nextId = () => 1;
      agent.ask = async (sessionId, toolCall) => {
        const options = [{ optionId: 'no', name: 'Reject', kind: 'reject_once' }];
        for (let count = 0; count < 2; count += 1) {
          await agent.request('session/request_permission', { sessionId, toolCall, options });
        }
      };
    },
  },
];
