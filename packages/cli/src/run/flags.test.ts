import { expect, test } from 'vitest';
import { CliError } from '../cli-error.ts';
import { parseFormat, parseRunFlags, type TypedRunFlags } from './flags.ts';

const parse = (typed: TypedRunFlags): ReturnType<typeof parseRunFlags> => parseRunFlags(typed, '/work');

test('a prompt alone goes to the default agent in the current folder, in a new session', () => {
  expect(parse({ prompt: 'fix it' })).toEqual({
    prompt: { kind: 'text', text: 'fix it' },
    agent: { kind: 'default' },
    images: [],
    cwd: '/work',
    additionalDirectories: [],
    settings: [],
    session: { kind: 'new' },
  });
});

test('standard input is the prompt only for "-" or when nothing else is', () => {
  expect(parse({}).prompt).toEqual({ kind: 'standard-input' });
  expect(parse({ prompt: '-' }).prompt).toEqual({ kind: 'standard-input' });
  expect(parse({ file: '-' }).prompt).toEqual({ kind: 'standard-input' });
  expect(parse({ file: 'task.md' }).prompt).toEqual({ kind: 'file', file: '/work/task.md' });
});

test('paths become absolute against the folder of the command', () => {
  const flags = parse({
    prompt: 'x',
    cwd: 'sub',
    addDir: ['../other', '/abs'],
    image: ['a.png'],
    record: 'r.jsonl',
  });
  expect(flags.cwd).toBe('/work/sub');
  expect(flags.additionalDirectories).toEqual(['/other', '/abs']);
  expect(flags.images).toEqual(['/work/a.png']);
  expect(flags.recordFile).toBe('/work/r.jsonl');
});

test("words after -- are the agent's command", () => {
  expect(parse({ prompt: 'x', command: ['node', 'agent.mjs', '--flag'] }).agent).toEqual({
    kind: 'command',
    command: 'node',
    args: ['agent.mjs', '--flag'],
  });
});

test('a value of --set may contain an equals sign', () => {
  expect(parse({ prompt: 'x', set: ['a=b=c', 'empty='] }).settings).toEqual([
    { id: 'a', value: 'b=c' },
    { id: 'empty', value: '' },
  ]);
});

test('seconds may have a fraction', () => {
  expect(parse({ prompt: 'x', timeout: '1.5', idleTimeout: '10' })).toMatchObject({
    timeoutMs: 1500,
    idleTimeoutMs: 10_000,
  });
});

test.each<[string, TypedRunFlags]>([
  ['two sources of the prompt', { prompt: 'x', file: 'f' }],
  ['an empty prompt', { prompt: ' ' }],
  ['two agents', { prompt: 'x', agent: 'a', command: ['b'] }],
  ['nothing behind --', { prompt: 'x', command: [] }],
  ['an address that does not speak ACP', { prompt: 'x', agent: 'ftp://example.com/acp' }],
  ['two sessions', { prompt: 'x', continue: true, session: 's' }],
  ['a setting without a value', { prompt: 'x', set: ['id'] }],
  ['a setting without an id', { prompt: 'x', set: ['=v'] }],
  ['a timeout of zero', { prompt: 'x', timeout: '0' }],
  ['a timeout in words', { prompt: 'x', timeout: '5m' }],
  ['a timeout no timer can wait for', { prompt: 'x', idleTimeout: '9999999' }],
  ['an unknown level', { prompt: 'x', approve: 'some' }],
  ['an unknown answer to questions', { prompt: 'x', onAsk: 'wait' }],
])('%s is wrong usage', (_name, typed) => {
  expect(() => parse(typed)).toThrow(expect.objectContaining({ name: 'CliError', code: 'usage' }));
});

test('an unknown format is wrong usage, none is text', () => {
  expect(parseFormat(undefined)).toBe('text');
  expect(parseFormat('json')).toBe('json');
  expect(() => parseFormat('xml')).toThrow(CliError);
});
