import { valueAt } from '@parley/wire';
import { type AgentDefect, before, capabilities, refusing, result, without } from './change-agent.fixture.ts';
import { Refusal } from './seeded-agent.fixture.ts';

/** initialize, authentication and new sessions. */
export const openingDefects: readonly AgentDefect[] = [
  { what: 'refuses initialize', fails: ['ACP-INIT-001'], change: refusing('initialize') },
  {
    what: 'has a version that is a string',
    fails: ['ACP-INIT-001', 'ACP-INIT-002', 'ACP-INIT-003', 'ACP-SCHEMA-001', 'ACP-SCHEMA-101'],
    change: result('initialize', (right) => ({ ...right, protocolVersion: '1' })),
  },
  {
    what: 'answers version 1 with 2',
    fails: ['ACP-INIT-002'],
    change: result('initialize', (right) => ({ ...right, protocolVersion: 2 })),
  },
  {
    what: 'echoes any version',
    fails: ['ACP-INIT-003'],
    change: result('initialize', (right, { protocolVersion }) => ({ ...right, protocolVersion })),
  },
  {
    what: 'answers an unknown version with an error',
    fails: ['ACP-INIT-003'],
    change: before('initialize', (_agent, { protocolVersion }) => {
      if (protocolVersion !== 1) throw new Refusal(-32_602);
    }),
  },
  {
    what: 'has no agentInfo',
    fails: ['ACP-INIT-004'],
    change: result('initialize', (right) => without(right, 'agentInfo')),
  },
  {
    what: 'opens sessions before initialize',
    fails: ['ACP-INIT-101'],
    change: (agent) => {
      agent.isInitialized = true;
    },
  },
  {
    what: 'rejects unknown capabilities of the client',
    fails: ['ACP-INIT-102'],
    change: before('initialize', (_agent, { clientCapabilities }) => {
      if (valueAt(clientCapabilities, 'parleyCheck') !== undefined) throw new Refusal(-32_602);
    }),
  },
  {
    what: 'has capabilities of the wrong type',
    fails: ['ACP-INIT-001', 'ACP-SCHEMA-001', 'ACP-SCHEMA-101'],
    change: capabilities((right) => ({
      ...right,
      promptCapabilities: { image: 'yes', audio: true, embeddedContext: true },
    })),
  },
  {
    what: 'has a field of its own in initialize',
    fails: ['ACP-SCHEMA-002'],
    change: result('initialize', (right) => ({ ...right, mine: 1 })),
  },
  {
    what: 'has two authentication methods with one id',
    fails: ['ACP-AUTH-001'],
    change: result('initialize', (right) => ({
      ...right,
      authMethods: ['A', 'B'].map((name) => ({ id: 'login', name })),
    })),
  },
  {
    what: 'offers a sign-in in a terminal that the client did not declare',
    fails: ['ACP-AUTH-002'],
    change: result('initialize', (right) => ({
      ...right,
      authMethods: [{ type: 'terminal', id: 't', name: 'Terminal' }],
    })),
  },
  { what: 'refuses logout', fails: ['ACP-AUTH-004'], change: refusing('logout') },
  {
    what: 'asks for authentication without a method for it',
    fails: ['ACP-SESSION-001', 'ACP-AUTH-005'],
    change: (agent) => {
      result('initialize', (right) => ({ ...right, authMethods: [] }))(agent);
      refusing('session/new', -32_000)(agent);
    },
  },
  {
    what: 'accepts any authentication method',
    fails: ['ACP-AUTH-101'],
    change: (agent) => {
      agent.methods['authenticate'] = () => ({});
    },
  },
  {
    what: 'returns no session id',
    fails: ['ACP-SESSION-001'],
    change: result('session/new', (right) => without(right, 'sessionId')),
  },
  {
    what: 'uses one id for all sessions',
    fails: ['ACP-SESSION-002', 'ACP-CANCEL-103', 'ACP-CANCEL-104'],
    isSilent: true,
    change: (agent) => {
      let first: unknown;
      result('session/new', (right) => {
        first ??= right['sessionId'];
        const session = agent.sessions.get(right['sessionId']);
        agent.sessions.delete(right['sessionId']);
        if (session !== undefined) agent.sessions.set(first, session);
        return { ...right, sessionId: first };
      })(agent);
    },
  },
  {
    what: 'opens a session without cwd',
    fails: ['ACP-SESSION-101'],
    change: (agent) => {
      const open = agent.methods['session/new'];
      agent.methods['session/new'] = (params) =>
        open?.(params['cwd'] === undefined ? { ...params, cwd: '/' } : params);
    },
  },
  {
    what: 'opens a session in a relative folder',
    fails: ['ACP-SESSION-102'],
    change: (agent) => {
      const open = agent.methods['session/new'];
      agent.methods['session/new'] = (params) =>
        open?.(params['cwd'] === 'parley-check' ? { ...params, cwd: '/parley-check' } : params);
    },
  },
  {
    what: 'starts no MCP servers',
    fails: ['ACP-SESSION-103'],
    change: (agent) => {
      agent.startServer = () => undefined;
    },
  },
  {
    what: 'rejects additional directories that it declares',
    fails: ['ACP-ADDDIRS-001'],
    change: before('session/new', (_agent, { additionalDirectories }) => {
      if (additionalDirectories !== undefined) throw new Refusal(-32_602);
    }),
  },
  {
    what: 'rejects unknown fields',
    fails: ['ACP-EXT-101'],
    change: before('session/new', (_agent, { parleyCheck }) => {
      if (parleyCheck !== undefined) throw new Refusal(-32_602);
    }),
  },
  {
    what: 'rejects "_meta"',
    fails: ['ACP-META-001'],
    change: before('session/new', (_agent, { _meta }) => {
      if (_meta !== undefined) throw new Refusal(-32_602);
    }),
  },
];
