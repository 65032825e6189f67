import type { ClientNotifications, ClientRequests } from '../../schema/v1/unstable.ts';
import type { NotificationRules, RequestRules } from '../method.ts';
import { byUrl, checkElicitationMode, elicitation } from './elicitation.ts';
import { byAgent, byClient } from './gate.ts';
import { mcpOverAcp } from './mcp-servers.ts';
import { checkToolCall, checkUpdate } from './session-update.ts';

const terminal = byClient('terminal', (client) => client.terminal);

/** What the protocol demands of the methods that a client carries out. */
export const clientRules: RequestRules<ClientRequests> & NotificationRules<ClientNotifications> = {
  'session/update': { checkSent: checkUpdate },
  'session/request_permission': {
    session: 'uses',
    checkSent: ({ toolCall }) => checkToolCall(toolCall, 'toolCall'),
    cancelled: { outcome: { outcome: 'cancelled' } },
    isCancelled: ({ outcome }) => outcome.outcome === 'cancelled',
  },
  'fs/read_text_file': {
    session: 'uses',
    paths: ['path'],
    gate: byClient('fs.readTextFile', (client) => client.fs?.readTextFile),
  },
  'fs/write_text_file': {
    session: 'uses',
    paths: ['path'],
    gate: byClient('fs.writeTextFile', (client) => client.fs?.writeTextFile),
  },
  'terminal/create': { session: 'uses', paths: ['cwd'], gate: terminal },
  'terminal/output': { session: 'uses', gate: terminal },
  'terminal/wait_for_exit': { session: 'uses', gate: terminal },
  'terminal/kill': { session: 'uses', gate: terminal },
  'terminal/release': { session: 'uses', gate: terminal },
  'elicitation/create': {
    session: 'uses',
    gate: elicitation,
    check: checkElicitationMode,
    cancelled: { action: 'cancel' },
  },
  'elicitation/complete': { gate: byUrl },
  'auth/status_update': { gate: byAgent('auth.status', (agent) => agent.auth?.status) },
  'mcp/message': { gate: mcpOverAcp },
};
