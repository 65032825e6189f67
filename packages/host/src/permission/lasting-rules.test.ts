import { ruleOn } from '@parley/workspace';
import { expect, test } from 'vitest';
import { lastingOffer, toRules } from './lasting-rules.ts';
import type { Subject } from './subject.ts';

const cwd = '/project';

test.each<[Subject, object]>([
  [
    { kind: 'execute', command: 'git push origin', paths: [] },
    { tool: 'execute', commandPrefix: 'git push' },
  ],
  [
    { kind: 'edit', paths: ['/project/src/a.ts'] },
    { tool: 'edit', path: '/project/src' },
  ],
  [
    { kind: 'edit', paths: ['/project/a.ts'] },
    { tool: 'edit', path: '/project/*' },
  ],
  [
    { kind: 'search', paths: ['/project'] },
    { tool: 'search', path: '/project' },
  ],
  [
    { kind: 'edit', paths: ['/other/a.ts'] },
    { tool: 'edit', path: '/other/*' },
  ],
])('an answer about %j is about %j, and the agent', (subject, about) => {
  expect(lastingOffer(subject, cwd, 'mine')?.about).toEqual([{ ...about, agent: 'mine' }]);
});

test.each(['/project', '/a[b]c'])('what was asked about in %s is covered from any folder', (folder) => {
  for (const path of [`${folder}/src/a.ts`, `${folder}/a.ts`, `${folder}/[x]/~/b`]) {
    const subject: Subject = { kind: 'edit', paths: [path], agent: 'mine' };
    const offer = lastingOffer(subject, folder, 'mine');
    const rules = offer === undefined ? [] : toRules(offer, 'allow');
    expect(ruleOn(subject, rules, '/elsewhere')?.decision).toBe('allow');
    expect(ruleOn({ ...subject, agent: 'other' }, rules, folder)).toBeUndefined();
  }
});

test('a folder is not offered for everywhere, and nothing for an opaque call', () => {
  expect(lastingOffer({ kind: 'edit', paths: ['/project/a'] }, cwd, 'mine')?.scopes).not.toContain('user');
  expect(lastingOffer({ kind: 'execute', command: 'ls', paths: [] }, cwd, 'mine')?.scopes).toContain('user');
  expect(lastingOffer({ kind: 'execute', paths: [], isOpaque: true }, cwd, 'mine')).toBeUndefined();
});
