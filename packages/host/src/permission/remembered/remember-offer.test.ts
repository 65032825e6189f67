import { ruleOn } from '@parley/workspace';
import { expect, test } from 'vitest';
import type { PermissionSubject } from '../request/permission-subject.ts';
import { rememberOffer, toRules } from './remember-offer.ts';

const cwd = '/project';

test.each<[PermissionSubject, object]>([
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
  expect(rememberOffer(subject, cwd, 'mine')?.about).toEqual([{ ...about, agent: 'mine' }]);
});

test.each(['/project', '/a[b]c'])('what was asked about in %s is covered from any folder', (folder) => {
  for (const path of [`${folder}/src/a.ts`, `${folder}/a.ts`, `${folder}/[x]/~/b`]) {
    const subject: PermissionSubject = { kind: 'edit', paths: [path], agent: 'mine' };
    const offer = rememberOffer(subject, folder, 'mine');
    const rules = offer === undefined ? [] : toRules(offer, 'allow');
    expect(ruleOn(subject, rules, '/elsewhere')?.decision).toBe('allow');
    expect(ruleOn({ ...subject, agent: 'other' }, rules, folder)).toBeUndefined();
  }
});

test('nothing is offered for a change of mode', () => {
  expect(rememberOffer({ kind: 'switch_mode', tool: 'submit_plan', paths: [] }, cwd, 'mine')).toBeUndefined();
});

test('a folder is not offered for the scope "everywhere", and nothing for an opaque call', () => {
  expect(rememberOffer({ kind: 'edit', paths: ['/project/a'] }, cwd, 'mine')?.scopes).not.toContain('user');
  expect(rememberOffer({ kind: 'execute', command: 'ls', paths: [] }, cwd, 'mine')?.scopes).toContain('user');
  expect(rememberOffer({ kind: 'execute', paths: [], isOpaque: true }, cwd, 'mine')).toBeUndefined();
});
