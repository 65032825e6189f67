import type { AgentNotifications, AgentRequests } from '../../schema/v1/unstable.ts';
import type { NotificationRules, RequestRules } from '../method.ts';
import { checkAuthMethod } from './auth-method.ts';
import { checkConfigOptions } from './config-options.ts';
import { byAgent, type Declared } from './gate.ts';
import { checkMcpServers, mcpOverAcp } from './mcp-servers.ts';
import { checkPromptContent } from './prompt-content.ts';
import { checkSystemPrompt } from './system-prompt.ts';

const archive = byAgent('sessionCapabilities.archive', (agent) => agent.sessionCapabilities?.archive);
const providers = byAgent('providers', (agent) => agent.providers);

type SetupParams = Parameters<typeof checkMcpServers>[0] & Parameters<typeof checkSystemPrompt>[0];

/** What `session/new`, `load`, `resume` and `fork` have in common. */
const setup = {
  paths: ['cwd', 'additionalDirectories[]'],
  fields: {
    additionalDirectories: byAgent(
      'sessionCapabilities.additionalDirectories',
      (agent) => agent.sessionCapabilities?.additionalDirectories,
    ),
    systemPrompt: byAgent(
      'sessionCapabilities.systemPrompt',
      (agent) => agent.sessionCapabilities?.systemPrompt,
    ),
  },
  check: (params: SetupParams, declared: Declared) =>
    checkMcpServers(params, declared) ?? checkSystemPrompt(params, declared),
  checkResult: checkConfigOptions,
} as const;

/** What the protocol demands of the methods that an agent carries out. */
export const agentRules: RequestRules<AgentRequests> & NotificationRules<AgentNotifications> = {
  initialize: {},
  authenticate: { check: checkAuthMethod },
  logout: { gate: byAgent('auth.logout', (agent) => agent.auth?.logout) },
  'auth/status': { gate: byAgent('auth.status', (agent) => agent.auth?.status) },
  'providers/list': { gate: providers },
  'providers/set': { gate: providers },
  'providers/disable': { gate: providers },
  'session/new': { ...setup, session: 'creates' },
  'session/load': { ...setup, session: 'loads', gate: byAgent('loadSession', (agent) => agent.loadSession) },
  'session/resume': {
    ...setup,
    session: 'resumes',
    gate: byAgent('sessionCapabilities.resume', (agent) => agent.sessionCapabilities?.resume),
  },
  'session/fork': {
    ...setup,
    session: 'creates',
    gate: byAgent('sessionCapabilities.fork', (agent) => agent.sessionCapabilities?.fork),
  },
  'session/list': {
    gate: byAgent('sessionCapabilities.list', (agent) => agent.sessionCapabilities?.list),
    fields: { archived: archive },
    paths: ['cwd'],
    resultPaths: ['sessions[].cwd', 'sessions[].additionalDirectories[]'],
  },
  'session/close': {
    session: 'closes',
    gate: byAgent('sessionCapabilities.close', (agent) => agent.sessionCapabilities?.close),
  },
  'session/delete': {
    session: 'drops',
    gate: byAgent('sessionCapabilities.delete', (agent) => agent.sessionCapabilities?.delete),
  },
  'session/archive': { session: 'drops', gate: archive },
  'session/unarchive': { gate: archive },
  'session/status': {
    gate: byAgent('sessionCapabilities.status', (agent) => agent.sessionCapabilities?.status),
  },
  'session/set_title': {
    gate: byAgent('sessionCapabilities.title', (agent) => agent.sessionCapabilities?.title),
  },
  'session/set_mode': { session: 'uses' },
  'session/set_config_option': { session: 'uses', checkResult: checkConfigOptions },
  'session/prompt': { session: 'prompts', check: checkPromptContent },
  'session/cancel': { session: 'cancels', mayBeRequest: true },
  'mcp/message': { gate: mcpOverAcp },
};
