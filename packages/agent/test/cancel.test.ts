import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionUpdate } from '@parley/acp';
import { expect, test } from 'vitest';
import { isRunning } from './is-running.ts';
import { isPosix } from './posix.ts';
import { courses, openStage, ranAndFailed, refused, said, succeeded } from './stage.ts';

const never = new Promise<never>(() => undefined);

/** Says when an update comes that passes. */
function watchFor(passes: (update: SessionUpdate) => boolean) {
  let seen = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const onUpdate = (update: SessionUpdate): void => {
    if (passes(update)) seen();
  };
  return { seen: promise, onUpdate };
}

test('while the model works, the prompt is answered "cancelled", after the usage', async () => {
  const { seen, onUpdate } = watchFor((update) => update.sessionUpdate === 'agent_message_chunk');
  await using stage = await openStage({ onUpdate });
  const stopReason = stage.prompt('say: hi\nsleep 3600\nsay: too late');
  await seen;
  await stage.cancel();
  expect(await stopReason).toBe('cancelled');
  expect(said(stage.updates)).toEqual(['hi']);
  expect(stage.updates.at(-1)).toMatchObject({ sessionUpdate: 'usage_update' });
});

test('while a permission is pending the call fails before the answer', async () => {
  let cancel = (): void => undefined;
  await using stage = await openStage({
    onPermission: () => {
      cancel();
      return never;
    },
  });
  cancel = () => void stage.cancel();
  expect(await stage.prompt('write a.txt: x')).toBe('cancelled');
  expect(courses(stage.updates)).toEqual([refused]);
});

test.runIf(isPosix)(
  'while a command runs it ends with all its children, and the call fails before the answer',
  async () => {
    const { seen, onUpdate } = watchFor(
      (update) =>
        update.sessionUpdate === 'tool_call_update' && JSON.stringify(update.content ?? '').includes('ready'),
    );
    await using stage = await openStage({ onUpdate });
    const stopReason = stage.prompt(
      `run (sh -c 'echo $$ > grandchild; trap "" TERM; while :; do sleep 1; done' &) ; echo $$ > child; sleep 0.2; echo ready; sleep 600`,
    );
    await seen;
    await stage.cancel();
    expect(await stopReason).toBe('cancelled');
    expect(courses(stage.updates)).toEqual([ranAndFailed]);
    for (const name of ['child', 'grandchild']) {
      const pid = Number(await readFile(join(stage.directory, name), 'utf8'));
      expect(pid).toBeGreaterThan(1);
      expect(isRunning(pid), name).toBe(false);
    }
  },
);

test('while the user is asked the call fails before the answer', async () => {
  let cancel = (): void => undefined;
  await using stage = await openStage({
    capabilities: { elicitation: { form: {} } },
    onElicitation: () => {
      cancel();
      return never;
    },
  });
  cancel = () => void stage.cancel();
  expect(await stage.prompt('ask: really?')).toBe('cancelled');
  expect(courses(stage.updates)).toEqual([ranAndFailed]);
});

test('a cancel during a repeat stops the rest', async () => {
  let cancel = (): void => undefined;
  let count = 0;
  await using stage = await openStage({
    onUpdate: (update) => {
      if (update.sessionUpdate === 'agent_message_chunk') count += 1;
      if (count === 10) cancel();
    },
  });
  cancel = () => void stage.cancel();
  expect(await stage.prompt(`repeat 1000000: say: ${'x'.repeat(300)}`)).toBe('cancelled');
  expect(count).toBeLessThan(100_000);
});

test('in the middle of repeated calls no further call begins', async () => {
  let cancel = (): void => undefined;
  let count = 0;
  await using stage = await openStage({
    onUpdate: (update) => {
      if (update.sessionUpdate === 'tool_call') count += 1;
      if (count === 3) cancel();
    },
  });
  cancel = () => void stage.cancel();
  expect(await stage.prompt('repeat 1000000: list .')).toBe('cancelled');
  expect(count).toBeLessThan(1000);
  for (const course of courses(stage.updates)) expect([succeeded, ranAndFailed]).toContain(course);
});

test('the next prompt works, without the cancelled rest', async () => {
  const { seen, onUpdate } = watchFor((update) => update.sessionUpdate === 'agent_message_chunk');
  await using stage = await openStage({ onUpdate });
  const cancelled = stage.prompt('say: one\nsleep 3600\nsay: two');
  await seen;
  await stage.cancel();
  await cancelled;
  expect(await stage.prompt('say: three')).toBe('end_turn');
  expect(said(stage.updates)).toEqual(['one', 'three']);
});

test('a cancel without a turn does nothing', async () => {
  await using stage = await openStage();
  await stage.cancel();
  expect(await stage.prompt('say: hi')).toBe('end_turn');
});

test('closing a session cancels its turn', async () => {
  const { seen, onUpdate } = watchFor((update) => update.sessionUpdate === 'agent_message_chunk');
  await using stage = await openStage({ onUpdate });
  const sessionId = await stage.openSession();
  const stopReason = stage.prompt('say: hi\nsleep 3600', sessionId);
  await seen;
  await stage.agent.request('session/close', { sessionId });
  expect(await stopReason).toBe('cancelled');
});
