import { type AgentDefect, before, refusing, result, without } from './change-agent.fixture.ts';
import { Refusal } from './seeded-agent.fixture.ts';

/** Stored sessions. */
export const storedSessionDefects: readonly AgentDefect[] = [
  {
    what: 'refuses session/load, which it declares',
    fails: ['ACP-LOAD-001', 'ACP-LOAD-002', 'ACP-LOAD-003', 'ACP-LOAD-101'],
    change: refusing('session/load', -32_002),
  },
  {
    what: 'replays nothing',
    fails: ['ACP-LOAD-002'],
    change: (agent) => {
      const load = agent.methods['session/load'];
      agent.methods['session/load'] = (params) =>
        agent.sessions.has(params['sessionId']) ? {} : load?.(params);
    },
  },
  {
    what: 'answers session/load with null',
    fails: ['ACP-LOAD-003'],
    change: result('session/load', () => null),
  },
  {
    what: 'replays after the response',
    fails: ['ACP-LOAD-101'],
    change: before('session/load', (agent, { sessionId }) => {
      if (agent.sessions.has(sessionId)) setTimeout(() => agent.say(sessionId, 'late'), 2);
    }),
  },
  {
    what: 'loads sessions that it does not know',
    fails: ['ACP-LOAD-102'],
    change: (agent) => {
      const load = agent.methods['session/load'];
      agent.methods['session/load'] = (params) =>
        agent.sessions.has(params['sessionId']) ? load?.(params) : {};
    },
  },
  {
    what: 'refuses session/resume, which it declares',
    fails: ['ACP-RESUME-001', 'ACP-RESUME-002'],
    change: refusing('session/resume'),
  },
  {
    what: 'replays at session/resume',
    fails: ['ACP-RESUME-002'],
    change: before('session/resume', (agent, { sessionId }) =>
      agent.say(sessionId, 'old', 'user_message_chunk'),
    ),
  },
  {
    what: 'lists no sessions key',
    fails: ['ACP-LIST-001', 'ACP-LIST-002', 'ACP-LIST-101', 'ACP-SCHEMA-001', 'ACP-SCHEMA-101'],
    change: result('session/list', () => ({})),
  },
  {
    what: 'ignores the cwd of a list',
    fails: ['ACP-LIST-002'],
    change: (agent) => {
      const list = agent.methods['session/list'];
      agent.methods['session/list'] = (params) => list?.(without(params, 'cwd'));
    },
  },
  {
    what: 'lists nothing by cwd',
    fails: ['ACP-LIST-101'],
    change: result('session/list', (right, { cwd }) => (cwd === undefined ? right : { sessions: [] })),
  },
  {
    what: 'accepts any cursor',
    fails: ['ACP-LIST-102'],
    change: (agent) => {
      const list = agent.methods['session/list'];
      agent.methods['session/list'] = (params) => list?.(without(params, 'cursor'));
    },
  },
  {
    what: 'lists relative folders',
    fails: ['ACP-LIST-001'],
    change: result('session/list', (right, { cwd }) =>
      cwd === undefined ? { sessions: [{ sessionId: 'x', cwd: 'here' }] } : right,
    ),
  },
  {
    what: 'keeps deleted sessions',
    fails: ['ACP-DELETE-001'],
    change: (agent) => {
      agent.methods['session/delete'] = () => ({});
    },
  },
  {
    what: 'refuses to delete a session twice',
    fails: ['ACP-DELETE-002'],
    change: before('session/delete', (agent, { sessionId }) => {
      if (!agent.sessions.has(sessionId)) throw new Refusal(-32_002);
    }),
  },
  {
    what: 'refuses session/close, which it declares',
    fails: ['ACP-CLOSE-001', 'ACP-CLOSE-002', 'ACP-CLOSE-101'],
    change: refusing('session/close'),
  },
  {
    what: 'takes prompts for closed sessions',
    fails: ['ACP-CLOSE-101'],
    change: (agent) => {
      agent.methods['session/close'] = (params) => {
        agent.session(params).cancel?.();
        return {};
      };
    },
  },
];
