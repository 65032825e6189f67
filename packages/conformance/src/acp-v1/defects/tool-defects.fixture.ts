import { valueAt } from '@parley/wire';
import { type AgentDefect, greeting, requesting, updating } from './change-agent.fixture.ts';

/** Tool calls, and what the client does not have. */
export const toolDefects: readonly AgentDefect[] = [
  {
    what: 'announces a tool call twice',
    fails: ['ACP-TOOL-101'],
    change: updating('tool_call_update', (update) => ({
      ...update,
      sessionUpdate: 'tool_call',
      title: 'again',
    })),
  },
  {
    what: 'does not announce its tool calls',
    fails: ['ACP-TOOL-102'],
    change: updating('tool_call', () => undefined),
  },
  {
    what: 'has relative paths in locations',
    fails: ['ACP-TOOL-103'],
    change: updating('tool_call', (update) => ({ ...update, locations: [{ path: 'README.md' }] })),
  },
  {
    what: 'has relative paths in diffs',
    fails: ['ACP-TOOL-103'],
    change: updating('tool_call', (update) => ({
      ...update,
      content: [{ type: 'diff', path: 'a.txt', newText: 'x' }],
    })),
  },
  {
    what: 'leaves tool calls in progress',
    fails: ['ACP-TOOL-104'],
    change: updating('tool_call_update', (update) => ({ ...update, status: 'in_progress' })),
  },
  {
    what: 'asks for permission with two options of one id',
    fails: ['ACP-PERM-101'],
    change: requesting('session/request_permission', (params) => ({
      ...params,
      options: ['allow_once', 'reject_once'].map((kind) => ({ optionId: 'x', name: kind, kind })),
    })),
  },
  {
    what: 'asks for permission in another session',
    fails: ['ACP-PERM-101'],
    change: requesting('session/request_permission', (params) => ({ ...params, sessionId: 'another' })),
  },
  {
    what: 'asks for permission without a way to reject',
    fails: ['ACP-PERM-102'],
    change: requesting('session/request_permission', (params) => ({
      ...params,
      options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
    })),
  },
  {
    what: 'reads files with relative paths',
    fails: ['ACP-FS-101'],
    change: requesting('fs/read_text_file', (params) => ({ ...params, path: 'README.md' })),
  },
  {
    what: 'counts lines from 0',
    fails: ['ACP-FS-101'],
    change: requesting('fs/read_text_file', (params) => ({ ...params, line: 0 })),
  },
  {
    what: 'does not release its terminals',
    fails: ['ACP-TERMINAL-101'],
    change: requesting('terminal/release', () => undefined),
  },
  {
    what: 'reads the output of a terminal after its release',
    fails: ['ACP-TERMINAL-101'],
    change: (agent) => {
      const use = agent.useTerminal.bind(agent);
      agent.useTerminal = async (sessionId) => {
        await use(sessionId);
        await agent.request('terminal/output', { sessionId, terminalId: 'terminal-1' });
      };
    },
  },
  {
    what: 'names a slash command with its slash',
    fails: ['ACP-COMMANDS-101'],
    change: updating('available_commands_update', (update) => ({
      ...update,
      availableCommands: [{ name: '/help', description: 'Help' }],
    })),
  },
  {
    what: 'reads files of a client that has none',
    fails: ['ACP-CLIENTCAP-001'],
    change: greeting((agent, sessionId) =>
      valueAt(agent.client, 'fs') === undefined
        ? agent.request('fs/read_text_file', { sessionId, path: '/README.md' })
        : undefined,
    ),
  },
  {
    what: 'opens terminals of a client that has none',
    fails: ['ACP-CLIENTCAP-002'],
    change: greeting((agent, sessionId) =>
      valueAt(agent.client, 'terminal') === true
        ? undefined
        : agent.request('terminal/create', { sessionId, command: 'x' }),
    ),
  },
  {
    what: 'sends forms to a client that has none',
    fails: ['ACP-CLIENTCAP-003'],
    change: greeting((agent, sessionId) => {
      const requestedSchema = { type: 'object', properties: {} };
      return agent.request('elicitation/create', { sessionId, mode: 'form', message: 'x', requestedSchema });
    }),
  },
  {
    what: 'sends notices to a client that did not declare them',
    fails: ['ACP-CLIENTCAP-101'],
    change: greeting((agent, sessionId) =>
      agent.update(sessionId, { sessionUpdate: 'notice', severity: 'info', title: 'x' }),
    ),
  },
];
