import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approve, isAlive, isPosix, script, type Step } from './harness.ts';

function create(command: string, args?: readonly string[], more: object = {}): Step {
  const params = { sessionId: '$SESSION', command, ...(args !== undefined && { args }), ...more };
  return { request: 'terminal/create', params, save: 'terminalId' };
}

function terminal(method: 'output' | 'wait_for_exit' | 'kill' | 'release'): Step {
  return {
    request: `terminal/${method}`,
    params: { sessionId: '$SESSION', terminalId: { $: 'terminalId' } },
  };
}

const all = { policy: approve('all') };

test.runIf(isPosix)('arguments are passed on untouched, and no shell is involved', async () => {
  const { play, answers } = await script(all);
  const program = 'console.log(JSON.stringify(process.argv.slice(1)))';

  await play(
    create(process.execPath, ['-e', program, 'a b', '$HOME', '; ls']),
    terminal('wait_for_exit'),
    terminal('output'),
  );

  expect(answers()[2]).toMatchObject({ result: { output: '["a b","$HOME","; ls"]\n' } });
});

test.runIf(isPosix).each([{ args: undefined }, { args: [] }])(
  'a whole line in the command goes to the shell, with args $args',
  async ({ args }) => {
    const { play, answers } = await script(all);

    await play(
      create('echo one && echo two | tr a-z A-Z', args),
      terminal('wait_for_exit'),
      terminal('output'),
    );

    expect(answers()[2]).toMatchObject({ result: { output: 'one\nTWO\n' } });
  },
);

test.runIf(isPosix)('a program whose name looks like a command line is started as a program', async () => {
  const { play, answers, cwd } = await script(all);
  const program = join(cwd, 'my tool; really');
  await writeFile(program, '#!/bin/sh\necho tool\n');
  await chmod(program, 0o755);

  await play(create(program), terminal('wait_for_exit'), terminal('output'));

  expect(answers()[2]).toMatchObject({ result: { output: 'tool\n' } });
});

test.runIf(isPosix)('a command runs in its directory with the given variables', async () => {
  const { play, answers, cwd } = await script(all);

  await play(
    create('sh', ['-c', 'echo $NAME; pwd'], { env: [{ name: 'NAME', value: 'x' }] }),
    terminal('wait_for_exit'),
    terminal('output'),
  );

  expect(answers()[2]).toMatchObject({ result: { output: `x\n${cwd}\n` } });
});

test.runIf(isPosix)('the exit status has a code or a signal, and is there only after the exit', async () => {
  const { play, answers } = await script(all);

  await play(
    create('sleep', ['60']),
    terminal('output'),
    terminal('kill'),
    terminal('output'),
    terminal('wait_for_exit'),
    terminal('release'),
    create('sh', ['-c', 'exit 7']),
    terminal('wait_for_exit'),
  );

  expect(answers()).toMatchObject([
    { result: {} },
    { result: { output: '', truncated: false } },
    { result: {} },
    { result: { exitStatus: { signal: 'SIGTERM' } } },
    { result: { signal: 'SIGTERM' } },
    { result: {} },
    { result: {} },
    { result: { exitCode: 7 } },
  ]);
  expect(answers()[1]).not.toHaveProperty('result.exitStatus');
});

test.runIf(isPosix)('a released terminal is terminated, and its id becomes invalid', async () => {
  const { play, answers, cwd } = await script(all);

  await play(
    create('sh', ['-c', 'echo $$ > pid; exec sleep 60']),
    create('sh', ['-c', 'while [ ! -s pid ]; do sleep 0.01; done']),
    terminal('wait_for_exit'),
    terminal('release'),
    terminal('output'),
    terminal('wait_for_exit'),
    terminal('kill'),
    terminal('release'),
  );

  expect(answers().slice(4)).toMatchObject(Array(4).fill({ error: { code: -32002 } }));
  expect(isAlive(Number(await readFile(join(cwd, 'pid'), 'utf8')))).toBe(true);
});

test.runIf(isPosix)('output is truncated at the front, between characters, and stays bounded', async () => {
  const { play, answers } = await script(all);
  const program = `process.stdout.write('ä'.repeat(5_000_000) + 'end')`;

  await play(
    create(process.execPath, ['-e', program], { outputByteLimit: 10 }),
    terminal('wait_for_exit'),
    terminal('output'),
  );

  expect(answers()[2]).toMatchObject({ result: { output: 'äääend', truncated: true } });
});

test.runIf(isPosix)('a command that cannot start is rejected', async () => {
  const { play, answers } = await script(all);

  await play(create('no-such-program', ['x']), create('ls', [], { cwd: '/no/such/folder' }));

  expect(answers()).toMatchObject([{ error: { code: -32602 } }, { error: { code: -32602 } }]);
});

test.runIf(isPosix)('all terminals of a session end with it', async () => {
  const { play, session, cwd } = await script(all);
  await play(
    create('sh', ['-c', 'sleep 60 & echo $! $$ > pids.new; mv pids.new pids; wait']),
    create('sh', ['-c', 'while [ ! -e pids ]; do sleep 0.01; done']),
    terminal('wait_for_exit'),
  );
  const pids = (await readFile(join(cwd, 'pids'), 'utf8')).trim().split(' ').map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);

  await session.close();

  expect(pids.map(isAlive)).toEqual([false, false]);
});

test.runIf(isPosix)('all terminals end with the agent', async () => {
  const { play, connection, cwd } = await script(all);
  await play(
    create('sh', ['-c', 'echo $$ > pid.new; mv pid.new pid; exec sleep 60']),
    create('sh', ['-c', 'while [ ! -e pid ]; do sleep 0.01; done']),
    terminal('wait_for_exit'),
  );
  const pid = Number(await readFile(join(cwd, 'pid'), 'utf8'));

  await connection.end();

  expect(isAlive(pid)).toBe(false);
});
