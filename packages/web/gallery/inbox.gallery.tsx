import type { HubQuestion, ElicitationQuestion, ListedAnswer, PermissionQuestion } from '@parley/host/hub';
import { emptyState, type RequestedAction } from '@parley/host/state';
import { AlertSettings } from '../src/alerts/alert-settings.tsx';
import { InboxPage } from '../src/inbox/inbox-page.tsx';
import { QuestionStack } from '../src/inbox/question-stack.tsx';
import { PermissionsPage } from '../src/permission/permissions-page.tsx';
import type { FakeHubOptions } from './fake-hub.ts';
import { fakeSession } from './fake-session.ts';
import type { Scenes } from './scene.ts';

const since = Date.now() - 95_000;

function permission(
  requestId: string,
  action: Partial<RequestedAction>,
  changed: Partial<PermissionQuestion> = {},
): PermissionQuestion {
  return {
    kind: 'permission',
    key: 'a',
    requestId,
    since,
    why: 'no rule speaks of it, and the level is "ask"',
    action: { kind: 'other', files: [], texts: [], ...action },
    request: {
      sessionId: 'a',
      toolCall: { toolCallId: requestId },
      options: [
        { optionId: 'y', name: 'Allow', kind: 'allow_once' },
        { optionId: 'n', name: 'Reject', kind: 'reject_once' },
      ],
    },
    remember: {
      about: [{ tool: 'execute', commandPrefix: 'npm run build', agent: 'parley' }],
      scopes: ['session', 'project', 'user'],
    },
    takesReason: true,
    ...changed,
  };
}

const command = permission('command', {
  kind: 'execute',
  title: 'npm run build -- --mode production',
  command: {
    command: 'npm run build -- --mode production',
    program: '/usr/bin/dash',
    cwd: '/home/ada/engine/packages/web',
    env: [
      { name: 'CI', value: '1' },
      { name: 'PATH', value: './tools:/usr/bin' },
    ],
  },
});

const deceiving = permission(
  'deceiving',
  {
    kind: 'execute',
    title: 'Clean up',
    declaredKind: 'read',
    command: {
      cwd: '/home/ada/engine',
      env: [],
      command: `echo "checking" \\\n  && npm install re\u0430ct \\\n  && rm -rf \u202e/moc.elpmaxe//:sptth\u202c ~/.ssh\r# safe\n${'printf "%s\\n" one two three; '.repeat(12)}`,
    },
  },
  { key: 'b', since: since - 400_000, why: 'your rule "ask execute"' },
);

const edit = permission(
  'edit',
  {
    kind: 'edit',
    title: 'Edit src/store.ts',
    files: [
      {
        path: '/home/ada/engine/src/store.ts',
        effect: 'write',
        content: {
          oldText: 'export class Store {\n  value = 1;\n\n  get() {\n    return this.value;\n  }\n}\n',
          newText:
            'export class Store<Value> {\n  #value: Value;\n\n  get(): Value {\n    return this.#value;\n  }\n}\n',
          hash: '',
        },
      },
      {
        path: '/home/ada/engine/notes',
        realPath: '/home/ada/.bashrc',
        isOutside: true,
        effect: 'write',
        protection: 'shell-startup',
      },
    ],
  },
  {
    remember: {
      about: [{ tool: 'edit', path: '/home/ada/engine/src/store.ts' }],
      scopes: ['session', 'project'],
    },
  },
);

const opaque = permission('opaque', { title: 'bash', isOpaque: true }, { opaque: true, key: 'b' });

const many = permission('many', {
  kind: 'fetch',
  title: 'Fetch the release notes',
  address: 'https://docs.example.com@evil.test/releases?version=2',
});

const plan: PermissionQuestion = {
  ...permission('plan', {
    kind: 'switch_mode',
    title: 'Ready to code?',
    input: { plan: '1. Read the store\n2. Make it generic\n3. Run the tests' },
  }),
  key: 'b',
};

const named: PermissionQuestion = {
  ...plan,
  requestId: 'named',
  request: {
    ...plan.request,
    options: [
      { optionId: '1', name: 'Yes, and accept edits', kind: 'allow_always' },
      { optionId: '2', name: 'Yes, and approve each edit', kind: 'allow_once' },
      { optionId: '3', name: 'Yes, in a new branch', kind: 'allow_once' },
      { optionId: '4', name: 'OK', kind: 'reject_once' },
      { optionId: '5', name: 'Ask my lawyer', kind: 'unknown', raw: { kind: 'ask_lawyer' } },
    ],
  },
};

const mcp = permission('mcp', {
  kind: 'other',
  title: 'Close issue 4',
  tool: 'mcp__tracker__close_issue',
  input: { issue: 4, comment: 'Done.' },
});

const form: ElicitationQuestion = {
  kind: 'elicitation',
  key: 'a',
  requestId: 'form',
  since,
  request: {
    sessionId: 'a',
    mode: 'form',
    message: 'How should the release be made?',
    requestedSchema: {
      properties: {
        channel: {
          type: 'string',
          title: 'Channel',
          description: 'Who gets it.',
          oneOf: [
            { const: 'stable', title: 'Stable', description: 'All users' },
            { const: 'next', title: 'Next', description: 'Those who asked for it' },
          ],
        },
        version: { type: 'string', title: 'Version', pattern: '^\\d+\\.\\d+\\.\\d+$', minLength: 5 },
        mail: { type: 'string', title: 'Notify', format: 'email' },
        day: { type: 'string', title: 'On', format: 'date-time', default: '2026-11-23T09:00:00Z' },
        share: {
          type: 'integer',
          title: 'Share of users, in percent',
          minimum: 1,
          maximum: 100,
          default: 10,
        },
        notes: { type: 'string', title: 'Notes', maxLength: 4000 },
        parts: {
          type: 'array',
          title: 'Parts',
          minItems: 1,
          items: { type: 'string', enum: ['core', 'web', 'docs'] },
        },
        dry: { type: 'boolean', title: 'Only try', description: 'Nothing is published.', default: true },
        more: { type: 'unknown', raw: { type: 'object', title: 'More' } },
      },
      required: ['channel', 'version', 'parts'],
    },
  },
};

const address: ElicitationQuestion = {
  kind: 'elicitation',
  key: 'b',
  requestId: 'address',
  since,
  request: {
    sessionId: 'b',
    mode: 'url',
    elicitationId: '1',
    message: 'Connect your account at the tracker.',
    url: 'https://tracker.example.com/oauth/authorize?client_id=parley&state=8f3a',
  },
};

const signIn: HubQuestion = {
  kind: 'sign-in',
  key: 'b',
  requestId: 'sign-in',
  since,
  agent: 'gemini',
  failure: 'the key was not accepted (401)',
  commands: { terminal: 'gemini --login' },
  methods: [
    { kind: 'agent', id: 'oauth', name: 'Log in with Google', description: 'Opens a browser.' },
    {
      kind: 'variables',
      id: 'key',
      name: 'Use an API key',
      link: 'https://aistudio.example.com/keys',
      variables: [
        { name: 'GEMINI_API_KEY', label: 'API key', isSecret: true, isOptional: false },
        { name: 'GEMINI_PROJECT', isSecret: false, isOptional: true },
      ],
    },
    { kind: 'terminal', id: 'terminal', name: 'In a terminal', args: ['--login'], env: {} },
    { kind: 'unknown', id: 'new', name: 'With a passkey' },
  ],
};

const sessions = [
  fakeSession({ key: 'a', title: 'Make the store generic', state: 'waiting', questions: 3 }),
  fakeSession({ key: 'b', title: 'Why does the build fail on Windows?', agent: 'gemini', state: 'waiting' }),
];

const remembered: readonly ListedAnswer[] = [
  {
    id: '1',
    decision: 'allow',
    scope: 'project',
    about: 'execute commandPrefix "npm test" agent "parley"',
    project: '/home/ada/engine',
    time: since,
  },
  { id: '2', decision: 'deny', scope: 'user', about: 'fetch host "evil.test"', time: since - 9e8 },
];

function hub(...questions: readonly HubQuestion[]): FakeHubOptions {
  return {
    remembered,
    state: { questions, sessions: new Map(sessions.map((session) => [session.key, session])) },
  };
}

const stack = { show: () => <QuestionStack sessionKey="a" view={emptyState} /> };
const inbox = { show: () => <InboxPage /> };

export const scenes: Scenes = {
  command: { ...stack, hub: hub(command) },
  stack: { ...stack, hub: hub(command, edit, many, mcp) },
  edit: { ...stack, hub: hub(edit) },
  form: { ...stack, hub: hub(form) },
  options: { ...inbox, hub: hub(named) },
  address: { ...inbox, hub: hub(address) },
  'sign-in': { ...inbox, hub: hub(signIn) },
  inbox: {
    ...inbox,
    hub: hub(command, { ...command, requestId: 'again' }, deceiving, edit, opaque, many, plan, mcp, form),
  },
  permissions: { show: () => <PermissionsPage />, hub: hub() },
  alerts: { show: () => <AlertSettings />, hub: hub() },
  observer: { ...inbox, hub: { state: { ...hub(command, edit).state, isObserver: true, isAdmin: false } } },
  empty: { ...inbox, hub: hub() },
};
