import type { CreateElicitationRequest, RequestPermissionRequest } from '@parley/acp';
import type { RequestedAction } from '@parley/host/state';
import type { RememberOffer } from '@parley/workspace/rule';
import { beforeEach, expect, test } from 'vitest';
import { createStyle } from '../output/style.ts';
import { createTerminalUser, type TerminalUser } from './terminal-user.ts';

let screen = '';
let answers: (string | undefined)[] = [];
let feedback: string[] = [];
let open = 0;
let mostOpen = 0;
let user: TerminalUser;
const { signal } = new AbortController();

beforeEach(() => {
  screen = '';
  answers = [];
  feedback = [];
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
    onFeedback: (text) => feedback.push(text),
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

test('a permission request shows the action and numbers its answers', async () => {
  answers = ['1'];
  expect(await user.permission(request, { signal, action })).toEqual({ kind: 'option', optionId: 'once' });
  expect(screen).toBe(`tester asks: Write notes.txt (edit)
    writes /w/notes.txt
    + hello
  1  Allow once
  2  Reject once  "Reject"
  r  Reject with feedback…
  a  Always…
Your answer [y n 1-2 r a; Enter: no]: `);
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

test('lasting answers are behind one key, each with a number that Enter confirms', async () => {
  const remember: RememberOffer = {
    about: [{ tool: 'execute', commandPrefix: 'git push', agent: 'tester' }],
    scopes: ['turn', 'session', 'project', 'user'],
  };
  answers = ['a', '2'];
  expect(await user.permission(request, { signal, action, remember })).toEqual({
    kind: 'remember',
    scope: 'project',
    decision: 'allow',
  });
  expect(screen.slice(screen.indexOf('  a'))).toBe(`  a  Always… commands that begin with "git push"
Your answer [y n 1-2 r a; Enter: no]:   Parley remembers commands that begin with "git push":
  1  Always allow for this session
  2  Always allow in this project
  3  Always allow everywhere
  4  Never allow for this session
  5  Never allow in this project
  6  Never allow everywhere
  The agent remembers by itself; Parley cannot list or revoke it:
  7  Allow always  "Always allow"
Number, then Enter [1-7; Enter: back]: `);
  answers = ['a', 'x', '6'];
  expect(await user.permission(request, { signal, action, remember })).toEqual({
    kind: 'remember',
    scope: 'user',
    decision: 'deny',
  });
  answers = ['a', '7'];
  expect(await user.permission(request, { signal, action, remember })).toEqual({
    kind: 'option',
    optionId: 'always',
  });
});

test('Enter leaves the lasting answers without a decision', async () => {
  answers = ['a', '', 'y'];
  expect(await user.permission(request, { signal, action })).toEqual({ kind: 'option', optionId: 'once' });
});

test('a rejection can have feedback; an agent that does not accept it with the answer receives it as the next prompt', async () => {
  answers = ['r', 'use tabs'];
  const rejected = { kind: 'option', optionId: 'never', reason: 'use tabs' };
  expect(await user.permission(request, { signal, action, takesReason: true })).toEqual(rejected);
  expect(feedback).toEqual([]);
  answers = ['r', ' ', 'r', 'use tabs'];
  expect(await user.permission(request, { signal, action })).toEqual(rejected);
  expect(feedback).toEqual(['use tabs']);
});

test('a long diff is truncated, and a key shows all of it', async () => {
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
  expect(cut).toContain('  w  Show all of it\nYour answer [y n 1-2 r a w; Enter: no]: ');
  expect(cut).not.toContain('+ line 59');
  expect(whole).toContain('+ line 59');
  expect(whole).not.toContain('more lines');
});

test('a question shows how many more are waiting', async () => {
  answers = ['1', '1', '1'];
  await Promise.all([1, 2, 3].map(() => user.permission(request, { signal, action })));
  const questions = screen.split('tester asks:').slice(1);
  expect(questions.map((text) => /\((.*) waiting\)/.exec(text)?.[1])).toEqual([
    '2 more questions are',
    '1 more question is',
    undefined,
  ]);
});

test('a key that is not offered is ignored', async () => {
  const remember: RememberOffer = { about: [{ tool: 'edit', path: '/w/src' }], scopes: ['turn', 'session'] };
  answers = ['u', 'a', '9', '1'];
  expect(await user.permission(request, { signal, action, remember })).toMatchObject({
    kind: 'remember',
    scope: 'session',
  });
  expect(screen).toContain('a  Always… edit in /w/src\n');
  expect(screen.match(/Not one of the answers/g)).toHaveLength(2);
  answers = ['s', ''];
  expect(await user.permission(request, { signal, action })).toEqual({ kind: 'option', optionId: 'never' });
});

test('an unclear answer is asked for again; without a reject option, "no" cancels', async () => {
  answers = ['7', 'yes please', ''];
  const [allow] = request.options;
  expect(
    await user.permission({ ...request, options: allow === undefined ? [] : [allow] }, { signal, action }),
  ).toEqual({ kind: 'cancel' });
  expect(screen.match(/Not one of the answers/g)).toHaveLength(2);
});

test('concurrent questions are asked one after another', async () => {
  answers = ['1', '2'];
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

test('a withdrawn question is not shown', async () => {
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

test('a form with one field is asked as a plain question', async () => {
  answers = ['blue'];
  expect(
    await user.elicitation(form({ answer: { type: 'string', title: 'Answer' } }, ['answer']), { signal }),
  ).toEqual({
    action: 'accept',
    content: { answer: 'blue' },
  });
  expect(screen).toBe('tester asks: Which one?\n[Enter: decline]\n> ');
});

test('an empty answer to a required field declines, the end of input cancels', async () => {
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
  expect(screen).toContain('expected a whole number');
});

test('a field that is neither words nor one choice says what to type', async () => {
  const items = { type: 'string', enum: ['red', 'green', 'blue'] } as const;
  answers = ['1, 3', 'y', ''];
  const question = form({ colors: { type: 'array', items }, really: { type: 'boolean' } });
  expect(await user.elicitation(question, { signal })).toEqual({
    action: 'accept',
    content: { colors: ['red', 'blue'], really: true },
  });
  expect(screen).toContain('colors [numbers, separated by commas; Enter: leave empty]');
  expect(screen).toContain('really [y or n; Enter: leave empty]');
});

test('a URL is shown in full with its host, and is not opened', async () => {
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
  expect(screen).toContain('expected one of the numbers');
});
