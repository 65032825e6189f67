import type { CreateElicitationRequest, RequestPermissionRequest } from '@parley/acp';
import type { RequestedAction } from '@parley/host/state';
import type { RememberOffer } from '@parley/workspace/rule';
import { beforeEach, expect, test } from 'vitest';
import { createStyle } from '../output/style.ts';
import { createTerminalUser, type TerminalUser } from './terminal-user.ts';

let screen = '';
let answers: (string | undefined)[] = [];
let open = 0;
let mostOpen = 0;
let user: TerminalUser;
const { signal } = new AbortController();

beforeEach(() => {
  screen = '';
  answers = [];
  open = 0;
  mostOpen = 0;
  user = createTerminalUser({
    terminal: {
      columns: 80,
      show: (text) => {
        screen += text;
      },
      present: (text) => {
        screen += text;
        return Promise.resolve();
      },
      ask: async (prompt) => {
        open += 1;
        mostOpen = Math.max(mostOpen, open);
        screen += prompt;
        await Promise.resolve();
        open -= 1;
        return answers.shift();
      },
      askKey: async (prompt) => {
        open += 1;
        mostOpen = Math.max(mostOpen, open);
        screen += prompt;
        await Promise.resolve();
        open -= 1;
        return answers.shift();
      },
      askSecret: () => Promise.resolve(answers.shift()),
      run: () => Promise.resolve(false),
    },
    style: createStyle(false, {}),
    agentName: () => 'tester',
    makeRoom: () => Promise.resolve(),
    onQuestion: () => () => undefined,
  });
});

const request: RequestPermissionRequest = {
  sessionId: 's',
  toolCall: { toolCallId: '1', title: 'Write notes.txt' },
  options: [
    { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
    { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
    { optionId: 'never', name: 'Reject', kind: 'reject_once' },
  ],
};

const action: RequestedAction = {
  kind: 'edit',
  title: 'Write notes.txt',
  files: [{ path: '/w/notes.txt', effect: 'write', content: { newText: 'hello\n', hash: '' } }],
  texts: [],
};

test('a permission question shows what is to be done and numbers its answers', async () => {
  answers = ['2'];
  expect(await user.permission(request, { signal, action })).toEqual({
    kind: 'option',
    optionId: 'always',
  });
  expect(screen).toBe(`tester asks: Write notes.txt (edit)
    writes /w/notes.txt
    + hello
  1  Allow once
  2  Allow always  "Always allow"
  3  Reject once  "Reject"
Your answer [y n 1-3; Enter: no]: `);
});

test.each([
  ['', 'never'],
  [undefined, 'never'],
  ['n', 'never'],
  ['y', 'once'],
  ['1', 'once'],
])('the answer %j chooses %s', async (answer, optionId) => {
  answers = [answer];
  expect(await user.permission(request, { signal, action })).toEqual({ kind: 'option', optionId });
});

test('the scopes of remembering are listed, and chosen by a key', async () => {
  const remember: RememberOffer = {
    about: [{ tool: 'execute', commandPrefix: 'git push', agent: 'tester' }],
    scopes: ['turn', 'session', 'project', 'user'],
  };
  answers = ['p'];
  expect(await user.permission(request, { signal, action, remember })).toEqual({
    kind: 'remember',
    scope: 'project',
    decision: 'allow',
  });
  expect(screen.slice(screen.indexOf('  3'))).toBe(`  3  Reject once  "Reject"
  Or allow (capital letter: never allow) commands that begin with "git push":
  t T for this turn  s S for this session  p P in this project  u U everywhere
Your answer [y n 1-3 t T s S p P u U; Enter: no]: `);
  answers = ['U'];
  expect(await user.permission(request, { signal, action, remember })).toEqual({
    kind: 'remember',
    scope: 'user',
    decision: 'deny',
  });
});

test('a long difference is cut, and shown whole by a key', async () => {
  const newText = Array.from({ length: 60 }, (_, index) => `line ${String(index)}\n`).join('');
  const long: RequestedAction = {
    ...action,
    files: [{ path: '/w/a', effect: 'write', content: { newText, hash: '' } }],
  };
  answers = ['w', 'y'];
  expect(await user.permission(request, { signal, action: long })).toEqual({
    kind: 'option',
    optionId: 'once',
  });
  const [cut = '', whole = ''] = screen.split('tester asks:').slice(1);
  expect(cut).toContain('… 37 more lines: press w');
  expect(cut).toContain('  w  show all of it\nYour answer [y n 1-3 w; Enter: no]: ');
  expect(cut).not.toContain('+ line 59');
  expect(whole).toContain('+ line 59');
  expect(whole).not.toContain('more lines');
});

test('a question says how many more wait behind it', async () => {
  answers = ['1', '1', '1'];
  await Promise.all([1, 2, 3].map(() => user.permission(request, { signal, action })));
  const questions = screen.split('tester asks:').slice(1);
  expect(questions.map((text) => /\((.*) behind this one\)/.exec(text)?.[1])).toEqual([
    '2 more questions wait',
    'one more question waits',
    undefined,
  ]);
});

test('a key that was not offered is no answer', async () => {
  const remember: RememberOffer = { about: [{ tool: 'edit', path: '/w/src' }], scopes: ['turn', 'session'] };
  answers = ['u', 'p', 's'];
  expect(await user.permission(request, { signal, action, remember })).toMatchObject({
    kind: 'remember',
    scope: 'session',
  });
  expect(screen).toContain('Or allow (capital letter: never allow) edit in /w/src:');
  answers = ['s', ''];
  expect(await user.permission(request, { signal, action })).toEqual({ kind: 'option', optionId: 'never' });
});

test('an unclear answer is asked for again, and without an option that says no, no is a cancel', async () => {
  answers = ['7', 'yes please', ''];
  const [allow] = request.options;
  expect(
    await user.permission({ ...request, options: allow === undefined ? [] : [allow] }, { signal, action }),
  ).toEqual({ kind: 'cancel' });
  expect(screen.match(/none of the answers/g)).toHaveLength(2);
});

test('concurrent questions are asked one after another', async () => {
  answers = ['1', '3'];
  const both = await Promise.all([
    user.permission(request, { signal, action }),
    user.permission(request, { signal, action }),
  ]);
  expect(both).toEqual([
    { kind: 'option', optionId: 'once' },
    { kind: 'option', optionId: 'never' },
  ]);
  expect(mostOpen).toBe(1);
});

test('a question that was withdrawn is not shown', async () => {
  expect(await user.permission(request, { signal: AbortSignal.abort(), action })).toEqual({
    kind: 'cancel',
  });
  expect(screen).toBe('');
});

const form = (properties: object, required: string[] = []): CreateElicitationRequest => ({
  sessionId: 's',
  mode: 'form',
  message: 'Which one?',
  requestedSchema: { type: 'object', properties: { ...properties }, required },
});

test('a form with one line is asked as the question it is', async () => {
  answers = ['blue'];
  expect(
    await user.elicitation(form({ answer: { type: 'string', title: 'Answer' } }, ['answer']), { signal }),
  ).toEqual({
    action: 'accept',
    content: { answer: 'blue' },
  });
  expect(screen).toBe('tester asks: Which one?\n[Enter: decline]\n> ');
});

test('no answer to a required field declines, the end of the input cancels', async () => {
  answers = [''];
  const question = form({ answer: { type: 'string' } }, ['answer']);
  expect(await user.elicitation(question, { signal })).toEqual({ action: 'decline' });
  answers = [undefined];
  expect(await user.elicitation(question, { signal })).toEqual({ action: 'cancel' });
});

test('several fields are reviewed before they are sent, and can be edited', async () => {
  const question = form({
    name: { type: 'string' },
    count: { type: 'integer', default: 1 },
    really: { type: 'boolean' },
  });
  answers = ['a', 'x', '2', 'y', 'e', 'b', '', 'n', ''];
  expect(await user.elicitation(question, { signal })).toEqual({
    action: 'accept',
    content: { name: 'b', count: 1, really: false },
  });
  expect(screen).toContain('a whole number is expected');
});

test('an address is shown whole with its host, and not opened', async () => {
  answers = ['y', ''];
  const ask: CreateElicitationRequest = {
    sessionId: 's',
    mode: 'url',
    message: 'Sign in',
    elicitationId: 'e',
    url: 'https://example.com/login?x=1',
  };
  expect(await user.elicitation(ask, { signal })).toEqual({ action: 'accept' });
  expect(screen).toContain('on example.com:');
  expect(screen).toContain('https://example.com/login?x=1');
  expect(await user.elicitation(ask, { signal })).toEqual({ action: 'decline' });
});

test.each([
  ['2', { answer: 'blue' }],
  ['pink, please', { other: 'pink, please' }],
  ['', {}],
])('a choice with a field for other words is one question: %j', async (typed, content) => {
  answers = ['9', typed];
  const ask: CreateElicitationRequest = {
    sessionId: 's',
    mode: 'form',
    message: 'Which?',
    requestedSchema: {
      type: 'object',
      properties: {
        answer: { type: 'string', enum: ['red', 'blue'] },
        other: { type: 'string', title: 'Something else' },
      },
    },
  };
  expect(await user.elicitation(ask, { signal })).toEqual({ action: 'accept', content });
  expect(screen).toContain('one of the numbers is expected');
});
