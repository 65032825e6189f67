import { chmod, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideCommand } from '../src/command/decide-command.ts';
import { findExecutable } from '../src/process/find-executable.ts';
import { runCommand } from '../src/process/run-command.ts';
import { temporaryDirectory } from '../src/temporary-directory.fixture.ts';
import { generatedLine } from './command-line.fixture.ts';

/** Programs that only write down how they were started, and those that really start others. */
const stubs = ['git', 'npm', 'make', 'rm', 'rmdir', 'sudo', 'evil', 'node', 'cat', 'find'];
const starters = ['env', 'timeout', 'nice', 'nohup', 'xargs', 'stdbuf', 'sh'];

const prefixes = [
  'git',
  'git status',
  'git log',
  'git commit',
  'npm test',
  'npm run build',
  'make',
  'echo',
  'cat',
  'find',
];

/** With `$X` an option, `$Y` two words, and files in the folder that are named like an option and a setting. */
const variables = { X: '--evil', Y: 'a --evil', Z: 'EVIL=1' };
const files = ['--evil', 'EVIL=1', 'a.ts'];

const line = generatedLine({
  commands: [
    'git status',
    'git log',
    'git commit',
    'npm test',
    'npm run build',
    'make',
    'make test',
    'echo',
    'cat',
    'find .',
    'git status',
    'git log -n',
    'npm test --',
    "'git' status",
    '\\git log',
    'CI=1 git status',
    'env CI=1 git log',
    'timeout 5 git status',
    'rm x',
    'evil',
    'sudo git status',
    'PATH=. git status',
    'X=1 make',
    'nice git log',
    'nice -n 5 npm test',
    'env git status',
    'command git log',
    'xargs git status',
    'nohup git status',
    'stdbuf -oL git status',
    'timeout 5 rm x',
    'env -S evil',
    'git -c evil',
    'evil() { rm; }; echo',
  ],
  words: [
    'a',
    'a.ts',
    'src',
    'HEAD',
    '-n',
    '-m',
    '-s',
    '--short',
    '--oneline',
    '-5',
    '--',
    'test',
    '"a b"',
    "'$X'",
    '$X',
    '"$X"',
    '$Y',
    '"$Y"',
    '$Z',
    '"a$X"',
    'a$Y',
    '*',
    '?*',
    '*.ts',
    './*',
    '"$@"',
    '~',
    '--evil',
    '-Evil',
    '--evi=l',
    'EVIL=1',
    '{a,--evil}',
    '-{n,E}',
    '\\--evil',
    '-"-evil"',
    "''--evil",
    '>out',
    '2>&1',
    '<a.ts',
    '`evil`',
  ],
});

/** Whether a program was given what makes it run or write something else, as the shell has expanded it. */
function isEvil([program = '', ...given]: readonly string[]): boolean {
  const end = given.indexOf('--');
  // Behind `--`, git and cat take names of files only; a script takes options there as well.
  const options = ['git', 'cat'].includes(program) && end !== -1 ? given.slice(0, end) : given;
  return options.some((word) => /^-+e/iu.test(word) || (program === 'make' && word.startsWith('EVIL=')));
}

function isNamed(run: readonly string[], rules: readonly string[]): boolean {
  return rules.some((rule) => rule.split(' ').every((word, index) => run[index] === word));
}

test.runIf(process.platform !== 'win32')(
  'what rules allow starts no program that they do not name, with no option that they do not cover, and writes no file',
  async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('bin'));
    await mkdir(directory.at('cwd'));
    const log = directory.at('log');
    for (const name of stubs) {
      const script = `#!/bin/sh\nE=$(/usr/bin/printf '\\036')\nprintf '%s\\037' "\${E}${name}" "$@" >> '${log}'\n`;
      await writeFile(directory.at('bin', name), script);
      await chmod(directory.at('bin', name), 0o755);
    }
    for (const name of starters) {
      const found = await findExecutable(name, { cwd: '/', env: process.env });
      if (found !== undefined) await symlink(found, directory.at('bin', name));
    }
    for (const name of files) await writeFile(directory.at('cwd', name), '');
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(line, fc.subarray(prefixes, { minLength: 3 }), async (given, rules) => {
        const decision = decideCommand(
          rules.map((commandPrefix) => ({ commandPrefix, decision: 'allow' })),
          given,
        );
        fc.pre(decision === 'allow');
        await writeFile(log, '');
        await runCommand({
          command: '/bin/sh',
          args: ['-c', given],
          cwd: directory.at('cwd'),
          env: { PATH: directory.at('bin'), HOME: directory.at('cwd'), ...variables },
          timeoutMs: 60_000,
        });
        const logged = (await readFile(log, 'utf8')).split('\x1e').slice(1);
        for (const run of logged.map((entry) => entry.split('\x1f').slice(0, -1))) {
          runs += 1;
          expect({ given, run, isNamed: isNamed(run, rules), isEvil: isEvil(run) }).toEqual({
            given,
            run,
            isNamed: true,
            isEvil: false,
          });
        }
        expect((await readdir(directory.at('cwd'))).toSorted()).toEqual(files.toSorted());
      }),
      { numRuns: 150, maxSkipsPerRun: 1000 },
    );
    expect(runs).toBeGreaterThan(50);
  },
);
