import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ModelPart } from '../src/model/model.ts';
import { createNodeEnvironment } from '../src/node/environment.ts';
import { isRunning } from './is-running.ts';
import { textWith } from './matchers.ts';
import { isPosix } from './posix.ts';
import { courses, openStage, refused, succeeded, toolUpdates } from './stage.ts';
import type { Stage } from './stage.ts';

const background = (command: string): string => `call run ${JSON.stringify({ command, background: true })}`;

/** Starts a command which has a child that does not mind TERM; settles with the ids of both. */
async function startStubborn(stage: Stage): Promise<readonly number[]> {
  // The foreground waits until the ids are written.
  await stage.prompt(
    [
      background(
        'echo $$ > pid; (trap "" TERM; exec sleep 600) & echo $! > child; touch up; wait; sleep 600',
      ),
      'run until test -e up; do sleep 0.02; done',
    ].join('\n'),
  );
  const files = ['pid', 'child'].map((name) => readFile(join(stage.directory, name), 'utf8'));
  const pids = (await Promise.all(files)).map(Number);
  expect(pids.map(isRunning)).toEqual([true, true]);
  return pids;
}

const results = ({ updates }: Stage): readonly unknown[] =>
  toolUpdates(updates).flatMap(({ rawOutput }) => rawOutput ?? []);

describe.runIf(isPosix)('a command in the background', () => {
  test('asks like any other, and returns its name at once', async () => {
    await using stage = await openStage();
    await stage.prompt(background('sleep 600'));
    expect(stage.permissions).toMatchObject([
      {
        toolCall: { title: 'Run in the background: sleep 600', kind: 'execute' },
        options: expect.any(Array),
      },
    ]);
    expect(JSON.stringify(stage.permissions[0]?.toolCall.content)).toContain('sleep 600');
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      status: 'completed',
      rawOutput: { job: 'job_1' },
    });
  });

  test('is rejected where commands are, including those never allowed', async () => {
    await using stage = await openStage();
    await stage.prompt(background('rm -rf /'));
    await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId: 'read-only' });
    await stage.prompt(background('true'));
    expect(courses(stage.updates)).toEqual([refused, refused]);
    expect(stage.permissions).toEqual([]);
  });

  test('returns its output and end once, without permission', async () => {
    await using stage = await openStage();
    await stage.prompt(
      [
        background('echo first; until test -e go; do sleep 0.02; done; echo second; exit 3'),
        'run until test -e go; do touch go; done',
        'call output {"job":"job_1","wait":60}',
        'call output {"job":"job_1"}',
      ].join('\n'),
    );
    expect(stage.permissions).toHaveLength(2);
    const [first, second] = toolUpdates(stage.updates).filter(
      ({ status, rawOutput }) => status === 'completed' && JSON.stringify(rawOutput).includes('isRunning'),
    );
    expect(toolUpdates(stage.updates)).toContainEqual(
      expect.objectContaining({ title: textWith('Output of job_1: echo first'), kind: 'read' }),
    );
    expect(first).toMatchObject({
      content: [
        { type: 'content', content: { text: '```\nfirst\nsecond\n```' } },
        { type: 'content', content: { text: 'Exit status 3' } },
      ],
      rawOutput: { job: 'job_1', isRunning: false, exitCode: 3, signal: null },
    });
    expect(second?.content).toMatchObject([{ content: { text: 'Exit status 3' } }]);
  });

  test('with long unread output reports beginning and end', async () => {
    await using stage = await openStage({ limits: { outputBytes: 100 } });
    await stage.prompt(`${background('seq 1 20000')}\ncall output {"job":"job_1","wait":60}`);
    const text = JSON.stringify(toolUpdates(stage.updates).at(-1)?.content);
    expect(text).toContain('1\\n2\\n3\\n');
    expect(text).toContain('characters are left out here');
    expect(text).toContain('20000\\n');
    expect(text.length).toBeLessThan(400);
  });

  test('can be stopped in a later turn, with all its processes', async () => {
    await using stage = await openStage();
    const pids = await startStubborn(stage);
    await stage.prompt('call stop {"job":"job_1"}\ncall output {"job":"job_1"}');
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(courses(stage.updates)).toEqual([succeeded, succeeded, succeeded, succeeded]);
    expect(results(stage).slice(2)).toMatchObject([{ isRunning: false }, { isRunning: false }]);
    expect(JSON.stringify(toolUpdates(stage.updates).at(-1)?.content)).toContain('Stopped');
  });

  test('ends with its session', async () => {
    await using stage = await openStage();
    const pids = await startStubborn(stage);
    await stage.agent.request('session/close', { sessionId: stage.sessionId });
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  test('ends with its connection', async () => {
    const stage = await openStage();
    const pids = await startStubborn(stage);
    await stage[Symbol.asyncDispose]();
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  test('survives a cancel of its turn, and the user is notified', async () => {
    let cancel = (): void => undefined;
    await using stage = await openStage({
      capabilities: { session: { notices: {} } },
      onUpdate: (update) => {
        const isUpdate = update.sessionUpdate === 'tool_call_update';
        if (isUpdate && JSON.stringify(update).includes('reached')) cancel();
      },
    });
    cancel = () => void stage.cancel();
    expect(await stage.prompt(`${background('sleep 600')}\nrun echo reached; exec sleep 600`)).toBe(
      'cancelled',
    );
    await stage.prompt('call output {"job":"job_1"}');
    expect(results(stage).at(-1)).toMatchObject({ isRunning: true });
    expect(stage.updates).toContainEqual({
      sessionUpdate: 'notice',
      severity: 'info',
      title: 'A command still runs in the background',
      description: 'sleep 600 (job_1)',
    });
  });

  test('a cancel ends the wait for it, but not the command', async () => {
    let cancel = (): void => undefined;
    await using stage = await openStage({
      onUpdate: (update) => {
        if (update.sessionUpdate === 'tool_call' && update.name === 'output') cancel();
      },
    });
    cancel = () => void stage.cancel();
    const lines = `${background('sleep 600')}\ncall output {"job":"job_1","wait":600}`;
    expect(await stage.prompt(lines)).toBe('cancelled');
    await stage.prompt('call output {"job":"job_1"}');
    expect(results(stage).at(-1)).toMatchObject({ isRunning: true });
  });

  test('beyond the limit is refused; ended commands make room, and the oldest of them are discarded', async () => {
    await using stage = await openStage({ limits: { jobs: 1 } });
    await stage.prompt(`${background('sleep 600')}\n${background('true')}\ncall stop {"job":"job_1"}`);
    expect(results(stage)).toMatchObject([
      { job: 'job_1' },
      { error: { code: 'limit', message: textWith('job_1') } },
      { isRunning: false },
    ]);
    for (const id of ['job_2', 'job_3']) {
      await stage.prompt(`${background('true')}\ncall output {"job":"${id}","wait":60}`);
    }
    await stage.prompt(`${background('true')}\ncall output {"job":"job_1"}\ncall output {"job":"job_3"}`);
    expect(results(stage).slice(-2)).toMatchObject([
      { error: { code: 'unknown-job' } },
      { isRunning: false },
    ]);
  });

  test('that cannot be started reports it when its output is read', async () => {
    await using stage = await openStage();
    // Else the question about it, which shows the folder, would fail first.
    const { sessionId } = stage;
    await stage.agent.request('session/set_mode', { sessionId, modeId: 'full-access' });
    await rm(stage.directory, { recursive: true });
    await stage.prompt(`${background('true')}\ncall output {"job":"job_1","wait":60}`);
    expect(results(stage).at(-1)).toMatchObject({ error: { code: 'not-started' } });
  });

  test('an unknown job is a failed call', async () => {
    await using stage = await openStage();
    await stage.prompt('call output {"job":"job_7"}\ncall stop {"job":"job_7"}');
    expect(courses(stage.updates)).toEqual([refused, refused]);
    expect(results(stage)).toMatchObject([
      { error: { code: 'unknown-job' } },
      { error: { code: 'unknown-job' } },
    ]);
  });

  test('of an earlier process is unknown, and its name is not reused', async () => {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'parley-background-')));
    const environment = createNodeEnvironment({ stateDirectory: join(home, 'state') });
    try {
      const { sessionId } = await (async () => {
        await using first = await openStage({ environment, directory: home });
        await first.prompt(background('sleep 600'));
        return first;
      })();
      await using second = await openStage({ environment, directory: home, first: false });
      await second.agent.request('session/resume', second.at(sessionId));
      await second.prompt(`call output {"job":"job_1"}\n${background('sleep 600')}`, sessionId);
      expect(results(second)).toMatchObject([
        {
          error: { code: 'unknown-job', message: textWith('none was started since this session was opened') },
        },
        { job: 'job_1_1' },
      ]);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });

  test('can be read any number of times', async () => {
    await using stage = await openStage();
    const ask = 'call output {"job":"job_1"}';
    expect(await stage.prompt([background('sleep 600'), ask, ask, ask, ask].join('\n'))).toBe('end_turn');
    expect(courses(stage.updates)).toEqual(Array(5).fill(succeeded));
  });

  test('that ends between two turns is reported to the model until it reads the end, and to the user once', async () => {
    const commands: Promise<unknown>[] = [];
    const machine = createNodeEnvironment();
    const runCommand: typeof machine.runCommand = (options) => {
      const running = machine.runCommand(options);
      commands.push(running);
      return running;
    };
    const heard: string[] = [];
    const responses: readonly (readonly ModelPart[])[] = [
      [
        {
          type: 'tool-call',
          id: '1',
          name: 'run',
          input: { command: 'read line; exit 4', background: true },
        },
      ],
      [],
      [],
      [{ type: 'tool-call', id: '2', name: 'output', input: { job: 'job_1' } }],
      [],
    ];
    await using stage = await openStage({
      environment: { ...machine, runCommand },
      capabilities: { session: { notices: {} } },
      model: {
        id: 'test/scripted',
        contextSize: 1000,
        async *respond({ instructions }) {
          heard.push(instructions);
          yield* responses[heard.length - 1] ?? [];
        },
      },
    });
    await stage.prompt('start');
    await Promise.all(commands);
    await stage.prompt('go on');
    await stage.prompt('read');
    const reports = heard.map((text) => /In the background: .*$/u.exec(text)?.[0]);
    expect([reports[0], ...reports.slice(2)]).toEqual([
      undefined,
      'In the background: job_1 (read line; exit 4): Exit status 4',
      'In the background: job_1 (read line; exit 4): Exit status 4',
      undefined,
    ]);
    expect(stage.updates.filter(({ sessionUpdate }) => sessionUpdate === 'notice')).toEqual([
      {
        sessionUpdate: 'notice',
        severity: 'info',
        title: 'A command in the background ended',
        description: 'read line; exit 4 (job_1): Exit status 4',
      },
    ]);
  });
});

describe.runIf(isPosix)('a command in the foreground', () => {
  test('that is silent or runs for too long is ended with advice', async () => {
    await using stage = await openStage({ limits: { commandIdleMs: 3000 } });
    await stage.prompt('run sleep 600');
    await stage.prompt('call run {"command":"while :; do echo x; sleep 0.02; done","timeout":1}');
    const failed = toolUpdates(stage.updates).filter(({ status }) => status === 'failed');
    expect(failed.map(({ content }) => JSON.stringify(content?.at(-1)))).toEqual([
      textWith('Ended after 3 seconds without output. Run a long command in the background'),
      textWith('Ended after 1 seconds, its time limit. Run a long command in the background'),
    ]);
  });
});
