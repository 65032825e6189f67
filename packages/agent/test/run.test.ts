import { describe, expect, test } from 'vitest';
import { textWith } from './matchers.ts';
import { isPosix } from './posix.ts';
import { courses, openStage, ranAndFailed, said, toolUpdates } from './stage.ts';

const textOf = (update: { readonly content?: readonly unknown[] } | undefined): string =>
  JSON.stringify(update?.content);

describe.runIf(isPosix)('run', () => {
  test('gives the output and the exit status', async () => {
    await using stage = await openStage();
    await stage.prompt('run echo out; echo err >&2; pwd');
    const [call] = toolUpdates(stage.updates);
    const done = toolUpdates(stage.updates).at(-1);
    expect(call).toMatchObject({
      title: 'Run echo out; echo err >&2; pwd',
      kind: 'execute',
      rawInput: { command: 'echo out; echo err >&2; pwd' },
    });
    expect(done).toMatchObject({
      status: 'completed',
      rawOutput: { exitCode: 0, signal: null, truncated: false },
    });
    expect(textOf(done)).toContain('out');
    expect(textOf(done)).toContain('err');
    expect(textOf(done)).toContain(stage.directory);
  });

  test('a command that fails is a failed call, with its output', async () => {
    await using stage = await openStage();
    await stage.prompt('run echo why; exit 3\nsay: go on');
    const done = toolUpdates(stage.updates).at(-1);
    expect(done).toMatchObject({
      status: 'failed',
      rawOutput: { exitCode: 3, error: { code: 'exit-status', message: 'Exit status 3' } },
    });
    expect(textOf(done)).toContain('why');
    expect(said(stage.updates)).toEqual([textWith('Exit status 3'), 'go on']);
  });

  test('output is shown while the command runs', async () => {
    await using stage = await openStage({
      onUpdate: async (update) => {
        if (update.sessionUpdate !== 'tool_call_update' || update.status !== 'in_progress') return;
        if (JSON.stringify(update.content ?? []).includes('first')) await stage.cancel();
      },
    });
    expect(await stage.prompt('run echo first; exec sleep 600')).toBe('cancelled');
    expect(courses(stage.updates)).toEqual([ranAndFailed]);
  });

  test('long output is cut in the middle, and says so', async () => {
    await using stage = await openStage({ limits: { outputBytes: 100 } });
    await stage.prompt('run for i in $(seq 1 1000); do echo line $i; done');
    const done = toolUpdates(stage.updates).at(-1);
    expect(done).toMatchObject({ status: 'completed', rawOutput: { truncated: true } });
    expect(textOf(done)).toContain('line 1\\nline 2\\n');
    expect(textOf(done)).toMatch(/\[\d+ bytes are left out here\]/u);
    expect(textOf(done)).toContain('line 1000');
    expect(textOf(done)).not.toContain('line 500\\n');
  });

  test('a silent command is ended', async () => {
    await using stage = await openStage({ limits: { commandIdleMs: 100 } });
    await stage.prompt('run sleep 600');
    const done = toolUpdates(stage.updates).at(-1);
    expect(done).toMatchObject({ status: 'failed', rawOutput: { error: { code: 'idle' } } });
    expect(textOf(done)).toContain('without output');
  });

  test('a command has no standard input', async () => {
    await using stage = await openStage();
    await stage.prompt('run cat');
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ status: 'completed' });
  });
});
