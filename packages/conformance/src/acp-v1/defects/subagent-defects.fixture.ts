import { type AgentDefect, delegating, updating } from './change-agent.fixture.ts';

const announcement = { sessionUpdate: 'subagent_update', title: 'x', state: { state: 'running' } };

/** Sub-agents. */
export const subagentDefects: readonly AgentDefect[] = [
  {
    what: 'lets a sub-agent speak before it is announced',
    fails: ['ACP-SUBAGENT-101'],
    change: delegating((agent) => agent.say('child', 'early')),
  },
  {
    what: 'announces a sub-agent of an unknown session',
    fails: ['ACP-SUBAGENT-101'],
    change: delegating((agent) => agent.update('ghost', { ...announcement, sessionId: 'kid' })),
  },
  {
    what: 'announces a session as its own sub-agent',
    fails: ['ACP-SUBAGENT-102'],
    change: delegating((agent, sessionId) => agent.update(sessionId, { ...announcement, sessionId })),
  },
  {
    what: 'announces a sub-agent of two sessions',
    fails: ['ACP-SUBAGENT-102'],
    change: delegating((agent, sessionId) => {
      agent.update(sessionId, { ...announcement, sessionId: 'kid' });
      agent.update(sessionId, { ...announcement, sessionId: 'grandchild' });
      agent.update('kid', { ...announcement, sessionId: 'grandchild' });
    }),
  },
  {
    what: 'has sub-agents without a state',
    fails: ['ACP-SUBAGENT-103'],
    change: updating('subagent_update', ({ state: _state, ...update }) => update),
  },
  {
    what: 'has idle sub-agents without a stop reason',
    fails: ['ACP-SUBAGENT-103'],
    change: updating('subagent_update', (update) => ({ ...update, state: { state: 'idle' } })),
  },
  {
    what: 'links sessions in tool calls for a client that does not know sub-agents',
    fails: ['ACP-CLIENTCAP-101'],
    change: updating('tool_call_update', (update) => ({
      ...update,
      content: [{ type: 'session', sessionId: 'child' }],
    })),
  },
];
