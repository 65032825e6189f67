import { expect, test } from 'vitest';
import { createGrants } from './grants.ts';

test('a granted edit covers its own file, as often as it is written', () => {
  const grants = createGrants();
  grants.add('call', { kind: 'edit', paths: ['/project/a'] }, false);

  expect(grants.forWrite('/project/a')).toBe('call');
  expect(grants.forWrite('/project/a')).toBe('call');
  expect(grants.forWrite('/project/b')).toBeUndefined();
});

test.each(['read', 'search', 'execute', 'delete', 'fetch'] as const)(
  'a call granted as %s covers no write',
  (kind) => {
    const grants = createGrants();
    grants.add('call', { kind, paths: ['/project/a'] }, false);

    expect(grants.forWrite('/project/a')).toBeUndefined();
  },
);

test('a granted command may be started once', () => {
  const grants = createGrants();
  grants.add('call', { kind: 'execute', command: 'npm test', paths: [] }, false);

  expect(grants.takeCommand('npm run deploy', ['/project'])).toBeUndefined();
  expect(grants.takeCommand(['npm', 'test'], ['/project'])).toBe('call');
  expect(grants.takeCommand('npm test', ['/project'])).toBeUndefined();
});

test('a command that was granted for one directory is not for another, by whichever name it goes', () => {
  const grants = createGrants();
  const granted = { kind: 'execute', command: 'npm test', directory: '/project/link', paths: [] } as const;
  grants.add('call', granted, true);

  expect(grants.takeCommand('npm test', ['/project/other'])).toBeUndefined();
  expect(grants.takeCommand('npm test', ['/project/real', '/project/link'])).toBe('call');
});

test('what was granted for always holds for the session, and for the same thing only', () => {
  const grants = createGrants();
  grants.add('call', { kind: 'execute', command: 'npm test', paths: [] }, true);
  grants.takeCommand('npm test', ['/project']);
  grants.endCall('call');
  grants.endTurn();

  expect(grants.takeCommand('npm test', ['/project'])).toBe('call');
  expect(grants.takeCommand('npm run deploy', ['/project'])).toBeUndefined();
});

test('a grant ends with its call, and with its turn', () => {
  const grants = createGrants();
  grants.add('first', { kind: 'edit', paths: ['/project/a'] }, false);
  grants.add('second', { kind: 'edit', paths: ['/project/b'] }, false);

  grants.endCall('first');
  expect(grants.forWrite('/project/a')).toBeUndefined();
  expect(grants.forWrite('/project/b')).toBe('second');

  grants.endTurn();
  expect(grants.forWrite('/project/b')).toBeUndefined();
});
