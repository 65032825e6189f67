import type { PermissionOption } from '@parley/acp';
import { toPermissionChoices, type RequestedAction } from '@parley/host/state';
import { expect, test } from 'vitest';
import { createStyle } from '../output/style.ts';
import { showLasting } from './lasting-answer.ts';
import {
  parsePermissionReply,
  permissionPrompt,
  showPermission,
  type PermissionQuestion,
} from './permission-question.ts';

const delegate: PermissionOption = {
  optionId: 'later',
  name: 'Decide later',
  kind: 'unknown',
  raw: { optionId: 'later', name: 'Decide later', kind: 'delegate' },
};
const no: PermissionOption = { optionId: 'no', name: 'No', kind: 'reject_once' };

function question(
  action: Partial<RequestedAction>,
  changed: Partial<PermissionQuestion> = {},
): PermissionQuestion {
  return {
    action: { kind: 'execute', title: 'Run', files: [], texts: [], ...action },
    choices: toPermissionChoices([no, delegate]),
    takesFeedback: false,
    agentName: 'agent',
    screen: { style: createStyle(false, {}), columns: 80 },
    waiting: 0,
    ...changed,
  };
}

test('an option of an unknown kind is shown with its kind, and can be chosen only by number', () => {
  expect(showPermission(question({})).text).toContain('  2  Unknown kind "delegate": "Decide later"\n');
  expect(parsePermissionReply('2', question({}))).toEqual({ kind: 'option', optionId: 'later' });
  expect(parsePermissionReply('y', question({}))).toEqual({ kind: 'unclear' });
  expect(parsePermissionReply('', question({}, { choices: toPermissionChoices([delegate]) }))).toEqual({
    kind: 'cancel',
  });
  expect(permissionPrompt(question({}), false)).toBe('Your answer [1-2; Enter: no]: ');
});

test('an option is labelled by what it does, regardless of its name', () => {
  const options: PermissionOption[] = [
    { optionId: '1', name: 'Reject', kind: 'allow_always' },
    { optionId: '2', name: 'Allow once\u202e"\n  3  Reject once', kind: 'allow_once' },
    { optionId: '3', name: 'allow once', kind: 'allow_once' },
    { optionId: '4', name: 'Continue', kind: 'reject_always' },
  ];
  const choices = toPermissionChoices(options);
  expect(showPermission(question({}, { choices })).text).toContain(
    ['  1  Allow once  "Allow once⟨U+202E⟩\\"\\n  3  Reject once"', '  2  Allow once\n'].join('\n'),
  );
  const { always } = choices;
  expect(always && showLasting(always, question({}).screen)).toContain(
    ['  1  Allow always  "Reject"', '  2  Reject always  "Continue"'].join('\n'),
  );
});

test('a command is shown with program, folder and variables, and each word of a list is quoted', () => {
  const command = {
    command: ['git', 'commit', '-m', 'a; rm b'],
    program: '/usr/bin/git',
    cwd: '/w',
    env: [
      { name: 'GIT_PAGER', value: 'sh -c x' },
      { name: 'CI', value: '1' },
    ],
  };
  expect(showPermission(question({ command })).text).toContain(`agent asks: Run (execute)
    $ git commit -m 'a; rm b'
    by /usr/bin/git
    in /w
    with GIT_PAGER='sh -c x'
    with CI=1
`);
});

test('each file is shown with its effect, link target and protection', () => {
  const files: RequestedAction['files'] = [
    {
      path: '/w/a',
      effect: 'write',
      content: { newText: 'one\ntwo\n', oldText: 'one\n', hash: '' },
    },
    {
      path: '/w/b',
      realPath: '/home/u/.bashrc',
      isOutside: true,
      effect: 'write',
      protection: 'shell-startup',
    },
    { path: '/w/c', effect: 'named' },
  ];
  expect(showPermission(question({ kind: 'edit', files })).text).toContain(`agent asks: Run (edit)
    writes /w/a
      one
    + two
    writes /w/b
      leads to /home/u/.bashrc
      ! outside of the folders of this session
      ! protected: run whenever a shell starts
    names /w/c
`);
});

test("text from the agent never appears in Parley's columns or beyond the edge of the screen", () => {
  const command = { command: `ls ${'x'.repeat(100)}\n$ true\n  1  Allow once`, cwd: '/w', env: [] };
  const { text } = showPermission(question({ command, texts: ['    $ true'] }));
  expect(text).toContain(
    [
      `    $ ls ${'x'.repeat(70)}`,
      `    ↳ ${'x'.repeat(30)}`,
      '      $ true',
      '        1  Allow once',
      '    in /w',
      '    | $ true',
    ].join('\n'),
  );
});

test('no row of a long title is wider than the screen', () => {
  const screen = { style: createStyle(false, {}), columns: 60 };
  const { text } = showPermission(question({ title: 'x'.repeat(300) }, { screen }), 'whole');
  const rows = text.split('\n');
  expect(rows.slice(0, 3)).toEqual([
    `agent asks: ${'x'.repeat(46)}`,
    `↳ ${'x'.repeat(58)}`,
    `↳ ${'x'.repeat(58)}`,
  ]);
  expect(rows.filter((row) => row.length > 60)).toEqual([]);
});

test('runs of blank lines and spaces are counted, and invisible characters are shown as codes', () => {
  const command = {
    command: `ls${'\n'.repeat(500)}rm -rf ~${' '.repeat(300)}\u009dx\u009c`,
    cwd: '/w',
    env: [],
  };
  expect(showPermission(question({ command })).text).toContain(
    `    ! Invisible and look-alike characters are shown as codes: ⟨U+202E⟩.
    $ ls
      ⟨499 empty lines⟩
      rm -rf ~⟨300 spaces⟩⟨U+009D⟩x⟨U+009C⟩
`,
  );
});

test('lines that do not fit are counted, and a key shows all of them', () => {
  const newText = Array.from({ length: 5000 }, (_, index) => `line ${String(index)}\n`).join('');
  const asked = question({ files: [{ path: '/w/a', effect: 'write', content: { newText, hash: '' } }] });
  const excerpt = showPermission(asked);
  expect(excerpt.isCut).toBe(true);
  expect(excerpt.text).toContain('… 4977 more lines: press w to show all of it');
  expect(excerpt.text).toContain('  w  Show all of it\n');
  expect(permissionPrompt(asked, true)).toContain(' w;');
  const whole = showPermission(asked, 'whole');
  expect(whole.isCut).toBe(false);
  expect(whole.text.match(/^ {4}\+ line \d+$/gmu)).toHaveLength(5000);
});

test('unchanged lines are counted first, and shown by the key', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${String(index)}`);
  const oldText = `${lines.join('\n')}\n`;
  const newText = oldText.replace('line 15', 'changed');
  const asked = question({
    files: [{ path: '/w/a', effect: 'write', content: { newText, oldText, hash: '' } }],
  });
  const excerpt = showPermission(asked);
  expect(excerpt.isCut).toBe(true);
  expect(excerpt.text).toContain(`    … 14 unchanged lines
      line 14
    - line 15
    + changed
      line 16
    … 13 unchanged lines
`);
  expect(showPermission(asked, 'whole').text).toContain('      line 0\n');
});

test('of a hundred files, those that fit are shown and the others counted', () => {
  const files = Array.from(
    { length: 100 },
    (_, index) => ({ path: `/w/${String(index)}`, effect: 'write' }) as const,
  );
  const { text, isCut } = showPermission(question({ kind: 'edit', files }));
  expect(isCut).toBe(true);
  expect(text).toMatch(/… 64 more lines: press w/u);
  expect(showPermission(question({ kind: 'edit', files }), 'whole').text.match(/writes/gu)).toHaveLength(100);
});

test('a mismatched kind and an opaque call show a warning', () => {
  const { text } = showPermission(
    question({ declaredKind: 'read', command: { command: 'ls', cwd: '/w', env: [] } }),
  );
  expect(text).toContain('! The agent declared it as "read"; treated as execute.');
  expect(showPermission(question({ isOpaque: true })).text).toContain(
    'Opaque request: the agent does not say what it is about to do.',
  );
});
