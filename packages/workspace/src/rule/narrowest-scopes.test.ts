import { expect, test } from 'vitest';
import { narrowestScopes } from './narrowest-scopes.ts';
import { ruleOn } from './rule-on.ts';
import type { Subject } from './subject.ts';

const cwd = '/project';

function run(command: string | readonly string[]): Subject {
  return { kind: 'execute', tool: 'run', command, paths: [] };
}

test.each([
  ['git status', 'git status'],
  ['git status --short src', 'git status'],
  ["git commit -m 'a b'", 'git commit'],
  ['git remote show origin', 'git remote show'],
  ['git push origin main', 'git push'],
  ['npm test', 'npm test'],
  ['npm run build -- --watch', 'npm run build'],
  ['npm run test:unit', 'npm run test:unit'],
  ['pnpm lint', 'pnpm lint'],
  ['yarn run build', 'yarn run build'],
  ['bun test a.test.ts', 'bun test'],
  ['cargo test -p core', 'cargo test'],
  ['cargo build', 'cargo build'],
  ['go test ./...', 'go test'],
  ['go mod tidy', 'go mod tidy'],
  ['docker ps -a', 'docker ps'],
  ['docker compose logs web', 'docker compose logs'],
  ['kubectl get pods', 'kubectl get'],
  ['make test', 'make test'],
  ['pip list', 'pip list'],
  ['gh pr view 5', 'gh pr view'],
  ['terraform plan', 'terraform plan'],
])('always, said about %j, is about commands that begin with %j', (command, commandPrefix) => {
  expect(narrowestScopes(run(command), cwd)).toEqual([{ tool: 'execute', commandPrefix }]);
});

test.each([
  'rm -r build',
  'sudo git status',
  'sh -c "git status"',
  'bash script.sh',
  'node -e "1"',
  'node build.js',
  'python x.py',
  'curl https://example.com',
  'wget x',
  'xargs git status',
  'env A=b git status',
  'echo one',
  'ls -la',
  './git status',
  '/usr/bin/git status',
  'A=b git status',
  'git',
  'git -C .. status',
  'git -c alias.x=!sh x',
  'git --version',
  'git $SUB',
  'git "st*tus"',
  'git config alias.x "!sh"',
  'git rebase -x sh main',
  'git bisect run sh',
  'git submodule foreach sh',
  'git clean -fd',
  'git reset --hard',
  'git status | cat',
  'git status && rm x',
  'git status; rm x',
  'git status &',
  'git status > out',
  'git apply < patch',
  'git log $(rm x)',
  'git log `rm x`',
  'git log\nrm x',
  'npm',
  'npm run',
  'npm run --silent build',
  'npm --prefix x test',
  'npm exec rimraf x',
  'npm x rimraf x',
  'npm install left-pad',
  'npm publish',
  'npm config set x y',
  'pnpm dlx x',
  'yarn exec x',
  'yarn workspace a build',
  'bun x y',
  'bun ./a.ts',
  'npx tsc',
  'cargo install x',
  'cargo +nightly test',
  'go install x@latest',
  'make',
  'make -j8 test',
  'make SHELL=/tmp/x test',
  'pip install x',
  'docker run -v /:/x y',
  'docker exec a b',
  'docker compose run a',
  'docker compose',
  'docker system prune',
  'kubectl exec a',
  'kubectl delete pod a',
  'gh api x',
  'gh repo delete x',
  'terraform apply',
])('always, said about %j, is about exactly that', (command) => {
  expect(narrowestScopes(run(command), cwd)).toEqual([{ tool: 'execute', command }]);
});

test('words of a program are as good as a line', () => {
  expect(narrowestScopes(run(['git', 'status', ';']), cwd)).toEqual([
    { tool: 'execute', commandPrefix: 'git status' },
  ]);
  expect(narrowestScopes(run(['rm', 'a b']), cwd)).toEqual([{ tool: 'execute', command: "rm 'a b'" }]);
});

test.each([
  ['/project/src/permission/a.ts', 'src/permission'],
  ['/project/src/a.ts', 'src'],
  ['/project/a.ts', '*'],
  ['/project', '*'],
  ['/other/a.ts', '/other/*'],
  ['/other/b/a.ts', '/other/b/*'],
  ['/a.ts', '/*'],
  ['/project/app/[id]/page.tsx', 'app/[[]id]/**'],
  ['/project/~/a', './~'],
])('always, said about a change of %s, is about %s', (path, pattern) => {
  expect(narrowestScopes({ kind: 'edit', paths: [path] }, cwd)).toEqual([{ tool: 'edit', path: pattern }]);
});

test('several files are covered by each of their folders', () => {
  const paths = ['/project/src/a.ts', '/project/docs/b.md', '/project/src/c.ts'];
  expect(narrowestScopes({ kind: 'edit', paths }, cwd)).toEqual([
    { tool: 'edit', path: 'src' },
    { tool: 'edit', path: 'docs' },
  ]);
});

test('a search in the whole directory is about that directory', () => {
  expect(narrowestScopes({ kind: 'search', paths: [cwd] }, cwd)).toEqual([{ tool: 'search', path: '.' }]);
});

test('a fetch is about its host, and the tool of a server about itself', () => {
  expect(narrowestScopes({ kind: 'fetch', paths: [], host: 'example.com' }, cwd)).toEqual([
    { tool: 'fetch', host: 'example.com' },
  ]);
  expect(narrowestScopes({ kind: 'other', tool: 'mcp__a__b', paths: [] }, cwd)).toEqual([
    { tool: 'mcp__a__b' },
  ]);
});

test.each<Subject>([
  run('git status'),
  run('rm -r a && b'),
  run(['rm', 'a b']),
  { kind: 'edit', paths: ['/project/src/a', '/project/b', '/project/c[d]/e', '/other/*/f'] },
  { kind: 'fetch', paths: [], host: 'example.com' },
  { kind: 'fetch', paths: [], host: 'localhost:3000' },
  { kind: 'other', tool: 'mcp__a__b', paths: [] },
  { kind: 'search', paths: ['/project'] },
])('what was asked about is covered by what is remembered: %j', (subject) => {
  const rules = narrowestScopes(subject, cwd).map((scope) => ({ ...scope, decision: 'allow' as const }));
  expect(ruleOn(subject, rules, cwd)?.decision).toBe('allow');
});
