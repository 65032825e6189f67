import { expect, test } from 'vitest';
import { toCallFacts, toHeadline } from './call-facts.ts';

test('a command is whole, however long, and a list of words cannot pass for a line', () => {
  const long = `echo ${'x'.repeat(20_000)}; rm -rf ~`;
  expect(toCallFacts({ toolCallId: '1', rawInput: { command: long, cwd: '/work' } })).toMatchObject({
    command: long,
    folder: '/work',
    isInputAll: false,
  });
  const words = ['git', 'commit', '-m', 'a; rm b'];
  expect(toCallFacts({ toolCallId: '1', rawInput: { command: words } }).command).toBe(
    'git commit -m "a; rm b"',
  );
  const apart = { command: 'npm', args: ['run', 'a b'] };
  expect(toCallFacts({ toolCallId: '1', rawInput: apart }).command).toBe('npm run "a b"');
});

test('a command that is said again as the content is told once', () => {
  const content = [
    { type: 'content' as const, content: { type: 'text' as const, text: '```sh\nnpm test\n```' } },
    { type: 'content' as const, content: { type: 'text' as const, text: 'Runs the tests' } },
  ];
  const facts = toCallFacts({ toolCallId: '1', content, rawInput: { command: 'npm test' } });
  expect(facts.words).toEqual(['Runs the tests']);
});

test('files are named once: those that change with their change, others by their path', () => {
  const facts = toCallFacts({
    toolCallId: '1',
    kind: 'edit',
    title: 'Edit a.ts',
    content: [{ type: 'diff', path: '/w/a.ts', oldText: 'a', newText: 'b' }],
    locations: [
      { path: '/w/a.ts', line: 3 },
      { path: '/w/b.ts', line: 9 },
    ],
    rawInput: { file_path: './a.ts', old_string: 'a', new_string: 'b' },
  });
  expect(facts.changes).toEqual([{ path: '/w/a.ts', before: 'a', after: 'b' }]);
  expect(facts.paths).toEqual(['/w/b.ts:9']);
  expect(toHeadline(facts)).toBe('/w/a.ts');
});

test('the plan of a change of mode, and the server of an MCP tool, are told apart', () => {
  const rawInput = { plan: '1. Read\n2. Write' };
  expect(toCallFacts({ toolCallId: '1', kind: 'switch_mode', rawInput }).plan).toBe(rawInput.plan);
  expect(
    toCallFacts({ toolCallId: '1', name: 'mcp__issue_tracker__close', rawInput: { id: 4 } }),
  ).toMatchObject({
    mcp: { server: 'issue_tracker', tool: 'close' },
    input: '{\n  "id": 4\n}',
    isInputAll: true,
  });
});

test('the input is shown as it is where it holds more than what is told of it', () => {
  const inputOf = (rawInput: unknown): string | undefined => toCallFacts({ toolCallId: '1', rawInput }).input;
  expect(inputOf({ command: 'npm test', cwd: '/w' })).toBeUndefined();
  expect(inputOf({ command: 'npm test', env: { CI: '1' } })).toContain('"CI"');
  expect(inputOf({ cwd: '/w' })).toContain('/w');
  expect(inputOf({ plan: 'none' })).toContain('none');
  expect(inputOf({ command: 'x', cwd: ['/w'] })).toContain('/w');
});

test('a call that says nothing but its title has nothing to show', () => {
  const facts = toCallFacts({ toolCallId: '1', title: 'bash', rawInput: {} });
  expect(facts).toEqual({
    kind: 'other',
    title: 'bash',
    changes: [],
    paths: [],
    words: [],
    blocks: [],
    isInputAll: true,
  });
  expect(toHeadline(facts)).toBe('bash');
});
