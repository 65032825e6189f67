import type { AgentCard, HubAgent } from '@parley/host/hub';
import { AgentsPage } from '../src/agents/agents-page.tsx';
import type { FakeHubOptions } from './fake-hub.ts';
import type { Scenes } from './scene.ts';

const card: AgentCard = {
  time: Date.now() - 180_000,
  startMs: 412,
  info: { name: 'parley', title: 'Parley', version: '0.1.0' },
  protocolVersion: 1,
  capabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: false, embeddedContext: true },
    mcpCapabilities: { http: true },
    sessionCapabilities: { list: {}, resume: {}, close: {} },
    _meta: { '_agentao.cn': { set_model: true } },
  },
  signInMethods: [],
  modes: {
    currentModeId: 'confirm',
    availableModes: [
      { id: 'confirm', name: 'Confirm', description: 'Asks before anything is changed.' },
      { id: 'read-only', name: 'Read only', description: 'Changes nothing.' },
    ],
  },
  configOptions: [
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: 'parley/offline',
      options: [
        { value: 'parley/offline', name: 'Offline' },
        { value: 'openai/gpt-5', name: 'GPT-5' },
      ],
    },
    {
      type: 'boolean',
      id: 'thinking',
      name: 'Thinking',
      description: 'Whether it says what it thinks.',
      currentValue: true,
    },
  ],
  log: 'parley: the offline model answers, no key is set\nparley: ready\n',
};

const agents: readonly HubAgent[] = [
  {
    name: 'parley',
    title: 'Parley',
    description: 'Parley’s own agent, with an offline model built in.',
    version: '0.1.0',
    place: 'own',
    isDefault: true,
    signIn: 'not-needed',
    card,
  },
  {
    name: 'broken',
    place: 'configured',
    signIn: 'unknown',
    card: {
      time: Date.now() - 5000,
      startMs: 0,
      failure: 'broken-agent: could not be started: spawn broken-agent ENOENT',
      signInMethods: [],
      log: 'npm error could not determine executable to run\n',
    },
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    description: 'Google’s coding agent.',
    version: '0.51.0',
    place: 'installed',
    website: 'https://example.com/gemini',
    signIn: 'needed',
    card: {
      ...card,
      signInMethods: [
        { kind: 'agent', id: 'oauth', name: 'Log in with Google', description: 'Opens a browser.' },
        {
          kind: 'variables',
          id: 'key',
          name: 'Use an API key',
          variables: [{ name: 'GEMINI_API_KEY', isSecret: true, isOptional: false }],
        },
        { kind: 'terminal', id: 'term', name: 'In a terminal', args: ['login'], env: {} },
      ],
      signInCommands: { term: 'gemini login' },
    },
  },
  { name: 'claude', title: 'Claude Code', place: 'installed', signIn: 'signed-in' },
  {
    name: 'qwen',
    title: 'Qwen Code',
    place: 'available',
    signIn: 'unknown',
    install: 'npm install -g @qwen-code/qwen-code',
    website: 'https://example.com/qwen',
  },
];

const hub: FakeHubOptions = { state: { agents } };

export const scenes: Scenes = {
  list: { hub, show: () => <AgentsPage /> },
  own: { hub, show: () => <AgentsPage name="parley" /> },
  broken: { hub, show: () => <AgentsPage name="broken" /> },
  'sign-in': { hub, show: () => <AgentsPage name="gemini" /> },
  unseen: { hub, show: () => <AgentsPage name="claude" /> },
  available: { hub, show: () => <AgentsPage name="qwen" /> },
  unknown: { hub, show: () => <AgentsPage name="nobody" /> },
  none: { show: () => <AgentsPage /> },
};
