import { describe, expect, test } from 'vitest';
import { ruleOn } from './rule-on.ts';
import { ruleFault, type Rule } from './rule.ts';
import type { Subject } from './subject.ts';

const cwd = '/project';

function decide(subject: Subject, ...rules: readonly Rule[]): string | undefined {
  return ruleOn(subject, rules, cwd)?.decision;
}

function run(command: Subject['command'], directory?: string): Subject {
  return {
    kind: 'execute',
    paths: [],
    ...(command !== undefined && { command }),
    ...(directory !== undefined && { directory }),
  };
}

describe('the folder that a rule holds in', () => {
  const allow = (folder: string): Rule => ({
    tool: 'execute',
    commandPrefix: 'npm test',
    cwd: folder,
    decision: 'allow',
  });
  const deny = (folder: string): Rule => ({
    tool: 'execute',
    commandPrefix: 'git push',
    cwd: folder,
    decision: 'deny',
  });

  test.each([
    ['packages/web', '/project/packages/web', 'allow'],
    ['packages/web', '/project/packages/web/src', 'allow'],
    ['packages/web', '/project/packages/website', undefined],
    ['packages/*', '/project/packages/web/src', 'allow'],
    ['packages/*', '/project', undefined],
    ['/project', '/project/packages/web', 'allow'],
    ['.', '/elsewhere', undefined],
    ['.', undefined, 'allow'],
  ])('a command is allowed in %s: run in %s', (folder, directory, expected) => {
    expect(decide(run('npm test', directory), allow(folder))).toBe(expected);
  });

  test('a deny holds in its folder, and nowhere else', () => {
    expect(decide(run('git push', '/project/live'), deny('live'))).toBe('deny');
    expect(decide(run('git push', '/project/live/a'), deny('live'))).toBe('deny');
    expect(decide(run('git push', '/project/test'), deny('live'))).toBeUndefined();
  });

  test.each([
    'cd live && npm test && git push',
    "sh -c 'cd live; npm test; git push'",
    'pushd live; npm test; git push',
    'npm --prefix live test; git push',
    'git -C live push; npm test',
    'env --chdir=live git push; npm test',
    'find . -execdir git push ; npm test',
    'eval "$there"; npm test; git push',
    '"$there" live; npm test; git push',
  ])('where a command may go elsewhere, no allow holds and each deny does: %s', (line) => {
    const everywhere: Rule = { tool: 'execute', commandPrefix: 'cd', decision: 'allow' };
    expect(decide(run(line), everywhere, allow('.'))).not.toBe('allow');
    expect(decide(run(line), deny('live'))).toMatch(/^(?:deny|unclear)$/u);
  });

  test('of a line that a rule has as a whole, the folder is the one where it starts', () => {
    const command = 'cd web && npm test';
    const rule: Rule = { tool: 'execute', command, cwd: 'packages', decision: 'allow' };
    expect(decide(run(command, '/project/packages'), rule)).toBe('allow');
    expect(decide(run(command, '/project'), rule)).toBeUndefined();
  });

  test('a command that is not shown may run anywhere', () => {
    const unknown = run(undefined);
    expect(decide(unknown, { tool: 'execute', cwd: '.', decision: 'allow' })).toBeUndefined();
    expect(decide(unknown, { tool: 'execute', cwd: 'live', decision: 'deny' })).toBe('deny');
    expect(decide(unknown, { tool: 'execute', cwd: 'live', decision: 'ask' })).toBe('ask');
  });

  test("other calls are in the session's folder", () => {
    const edit: Subject = { kind: 'edit', paths: ['/project/src/a'] };
    const rule = (folder: string): Rule => ({ tool: 'edit', cwd: folder, decision: 'allow' });
    expect(decide(edit, rule('/project'))).toBe('allow');
    expect(decide(edit, rule('src'))).toBeUndefined();
    expect(decide(edit, rule('/elsewhere'))).toBeUndefined();
  });

  test('a rule about files holds for the commands in its folder', () => {
    const rule: Rule = { tool: 'edit', path: '/project/keys', cwd: 'live', decision: 'deny' };
    expect(decide(run('echo a > ../keys', '/project/live'), rule)).toBe('deny');
    expect(decide(run('echo a > ../keys', '/project/test'), rule)).toBeUndefined();
  });

  test('a folder that means nothing is a fault', () => {
    expect(ruleFault({ tool: '*', cwd: 'src/[a' })).toEqual({ field: 'cwd', reason: 'a "[" is not closed' });
  });
});

describe('the time that a rule holds until', () => {
  const edit: Subject = { kind: 'edit', paths: ['/project/src/a'] };
  const until = (end: string, decision: Rule['decision']): Rule => ({ tool: 'edit', until: end, decision });
  const at = (time: string, rule: Rule): string | undefined =>
    ruleOn(edit, [rule], cwd, Date.parse(time))?.decision;

  test('it holds before, and not from then on', () => {
    const rule = until('2026-12-31T18:00+01:00', 'allow');
    expect(at('2026-12-31T16:59:59.999Z', rule)).toBe('allow');
    expect(at('2026-12-31T17:00:00Z', rule)).toBeUndefined();
    expect(at('2026-12-31T17:00:00Z', until('2026-12-31T18:00+01:00', 'deny'))).toBeUndefined();
  });

  test('a date counts to the end of its day, and a time without an offset is the one here', () => {
    const day = until('2026-12-31', 'deny');
    expect(at('2026-12-31T23:59:59.999', day)).toBe('deny');
    expect(at('2027-01-01T00:00', day)).toBeUndefined();
    expect(at('2026-12-31T17:59', until('2026-12-31T18:00', 'deny'))).toBe('deny');
    expect(at('2026-12-31T18:00', until('2026-12-31T18:00', 'deny'))).toBeUndefined();
  });

  test('an end that is no time allows nothing, and takes no deny away', () => {
    expect(at('2026-01-01T00:00Z', until('soon', 'allow'))).toBeUndefined();
    expect(at('2026-01-01T00:00Z', until('soon', 'deny'))).toBe('deny');
  });

  test.each(['2024-02-29', '2026-12-31T18:00', '2026-12-31T18:00:30.5Z', '2026-12-31T18:00-03:30'])(
    'an end can be %s',
    (end) => {
      expect(ruleFault(until(end, 'allow'))).toBeUndefined();
    },
  );

  test.each([
    'soon',
    '',
    '31.12.2026',
    '2026-12',
    '2026-02-29',
    '2026-13-01',
    '2026-12-31 18:00',
    '2026-12-31T18',
    '2026-12-31T25:00',
    '2026-12-31T18:00+1',
    '2026-12-31T18:00Z ',
  ])('an end cannot be "%s"', (end) => {
    expect(ruleFault(until(end, 'allow'))).toMatchObject({ field: 'until' });
  });
});
