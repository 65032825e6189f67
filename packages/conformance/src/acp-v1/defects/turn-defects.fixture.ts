import { valueAt } from '@parley/wire';
import {
  type AgentDefect,
  before,
  result,
  updating,
  withoutBlocks,
  working,
} from './change-agent.fixture.ts';
import { Refusal } from './seeded-agent.fixture.ts';

/** Turns and their cancel. */
export const turnDefects: readonly AgentDefect[] = [
  {
    what: 'never answers a prompt',
    fails: ['ACP-PROMPT-001'],
    isSilent: true,
    change: (agent) => {
      agent.greet = () => new Promise(() => undefined);
    },
  },
  {
    what: 'has a stop reason of its own',
    fails: [
      'ACP-PROMPT-001',
      'ACP-PROMPT-003',
      'ACP-PROMPT-103',
      'ACP-PROMPTCAP-001',
      'ACP-PROMPTCAP-002',
      'ACP-PROMPTCAP-003',
      'ACP-SCHEMA-001',
      'ACP-SCHEMA-101',
    ],
    change: result('session/prompt', (right) =>
      right['stopReason'] === 'end_turn' ? { stopReason: 'done' } : right,
    ),
  },
  {
    what: 'sends updates of another session',
    fails: ['ACP-PROMPT-002'],
    change: working((agent) => agent.say('another', 'x')),
  },
  {
    what: 'has a tool kind of its own',
    fails: ['ACP-PROMPT-002', 'ACP-SCHEMA-001', 'ACP-SCHEMA-101'],
    change: updating('tool_call', (update) => ({ ...update, kind: 'dance' })),
  },
  {
    what: 'sends an update of an unknown kind',
    fails: ['ACP-PROMPT-002', 'ACP-SCHEMA-001', 'ACP-SCHEMA-101'],
    change: working((agent, sessionId) => agent.update(sessionId, { sessionUpdate: 'x_update', x: 1 })),
  },
  {
    what: 'sends a bare string as content',
    fails: ['ACP-PROMPT-002', 'ACP-SCHEMA-001', 'ACP-SCHEMA-101'],
    change: working((agent, sessionId) =>
      agent.update(sessionId, { sessionUpdate: 'agent_message_chunk', content: 'hello' }),
    ),
  },
  {
    what: 'calls a method that clients do not have',
    fails: ['ACP-SCHEMA-001', 'ACP-SCHEMA-101'],
    change: working((agent, sessionId) => agent.request('session/ask', { sessionId })),
  },
  {
    what: 'sends updates as requests',
    fails: ['ACP-PROMPT-002', 'ACP-SCHEMA-001', 'ACP-SCHEMA-101'],
    change: working((agent, sessionId) => {
      const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } };
      return agent.request('session/update', { sessionId, update });
    }),
  },
  { what: 'rejects resource links', fails: ['ACP-PROMPT-003'], change: withoutBlocks('resource_link') },
  { what: 'rejects images', fails: ['ACP-PROMPTCAP-001'], change: withoutBlocks('image') },
  { what: 'rejects audio', fails: ['ACP-PROMPTCAP-002'], change: withoutBlocks('audio') },
  { what: 'rejects resources', fails: ['ACP-PROMPTCAP-003'], change: withoutBlocks('resource') },
  {
    what: 'accepts a prompt that is no list',
    fails: ['ACP-PROMPT-101'],
    change: (agent) => {
      const prompt = agent.methods['session/prompt'];
      agent.methods['session/prompt'] = (params) =>
        Array.isArray(params['prompt']) ? prompt?.(params) : { stopReason: 'end_turn' };
    },
  },
  {
    what: 'drops long lines',
    fails: ['ACP-PROMPT-102'],
    isSilent: true,
    change: (agent) => {
      const receive = agent.receive.bind(agent);
      agent.receive = async (line) => {
        if (line.length < 65_536) await receive(line);
      };
    },
  },
  {
    what: 'ends the first turn only when the second one has ended',
    fails: ['ACP-PROMPT-103'],
    isSilent: true,
    change: (agent) => {
      let isBusy = false;
      const prompt = agent.methods['session/prompt'];
      agent.methods['session/prompt'] = async (params) => {
        if (isBusy) return new Promise(() => undefined);
        isBusy = true;
        await new Promise((resolve) => setImmediate(resolve));
        try {
          return await prompt?.(params);
        } finally {
          isBusy = false;
        }
      };
    },
  },
  {
    what: 'answers a prompt for an unknown session with -32603',
    fails: ['ACP-INFO-UNKNOWNSESSION-001'],
    change: before('session/prompt', (agent, { sessionId }) => {
      if (!agent.sessions.has(sessionId)) throw new Refusal(-32_603);
    }),
  },
  {
    what: 'answers a cancelled prompt with an error',
    fails: ['ACP-CANCEL-001', 'ACP-CANCEL-002', 'ACP-CANCEL-101', 'ACP-CLOSE-002', 'ACP-CANCEL-104'],
    change: result('session/prompt', (right) => {
      if (right['stopReason'] === 'cancelled') throw new Refusal(-32_603, 'aborted');
      return right;
    }),
  },
  {
    what: 'answers a cancelled prompt with end_turn',
    fails: ['ACP-CANCEL-001', 'ACP-CANCEL-002', 'ACP-CANCEL-101', 'ACP-CLOSE-002'],
    change: result('session/prompt', () => ({ stopReason: 'end_turn' })),
  },
  {
    what: 'ignores the cancel',
    fails: ['ACP-CANCEL-001', 'ACP-CANCEL-002', 'ACP-CANCEL-101', 'ACP-CANCEL-103', 'ACP-CANCEL-104'],
    isSilent: true,
    change: (agent) => {
      agent.cancel = () => undefined;
    },
  },
  {
    what: 'sends an update after the response of a cancelled turn',
    fails: ['ACP-CANCEL-002'],
    change: (agent) => {
      const wait = agent.wait.bind(agent);
      agent.wait = async (sessionId, session) => {
        const reason = await wait(sessionId, session);
        setTimeout(() => agent.say(sessionId, 'late'), 2);
        return reason;
      };
    },
  },
  {
    what: 'takes no prompt after a cancelled turn',
    fails: ['ACP-CANCEL-101'],
    change: (agent) => {
      const cancelled = new Set<unknown>();
      const prompt = agent.methods['session/prompt'];
      agent.methods['session/prompt'] = async (params) => {
        if (cancelled.has(params['sessionId'])) throw new Refusal(-32_603, 'cancelled');
        const right = await prompt?.(params);
        if (valueAt(right, 'stopReason') === 'cancelled') cancelled.add(params['sessionId']);
        return right;
      };
    },
  },
  {
    what: 'remembers a cancel for the next turn',
    fails: ['ACP-CANCEL-102'],
    change: (agent) => {
      const cancelled = new Set<unknown>();
      const cancel = agent.cancel.bind(agent);
      agent.cancel = (sessionId) => {
        if (agent.sessions.get(sessionId)?.cancel === undefined) cancelled.add(sessionId);
        cancel(sessionId);
      };
      result('session/prompt', (right, { sessionId }) =>
        cancelled.delete(sessionId) ? { stopReason: 'cancelled' } : right,
      )(agent);
    },
  },
  {
    what: 'cancels the turns of all sessions',
    fails: ['ACP-CANCEL-103'],
    change: (agent) => {
      agent.cancel = () => {
        for (const session of agent.sessions.values()) session.cancel?.();
      };
    },
  },
  {
    what: 'never answers a request that was cancelled by its id',
    fails: ['ACP-CANCEL-104'],
    isSilent: true,
    change: (agent) => {
      const notified = agent.notified.bind(agent);
      agent.notified = (method, params) => {
        if (typeof valueAt(params, 'requestId') === 'number') agent.answer = () => undefined;
        else notified(method, params);
      };
    },
  },
  {
    what: 'writes an error message of two lines',
    fails: ['ACP-ERROR-001'],
    change: (agent) => {
      agent.unknownMethod = (id) => agent.refuse(id, -32_601, 'Method not found\n    at call');
    },
  },
  {
    what: 'does not exit when its input ends',
    fails: ['ACP-SHUTDOWN-001'],
    change: (agent) => {
      agent.inputEnded = () => undefined;
    },
  },
];
