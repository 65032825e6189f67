import type { ToolCall, ToolResult } from '@parley/aap';
import type { CallPermission } from '@parley/aap/server';
import type { ToolCallStatus } from '@parley/acp';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallTracker } from './call-tracker.ts';
import { EarlierAnswers } from './earlier-answers.ts';

/** What an agent does with one of its calls, in any order. */
interface Step {
  readonly id: string;
  readonly status: ToolCallStatus | 'ask' | undefined;
  readonly hasInput: boolean;
  /** Whether it announces it as a tool of the application. */
  readonly isApplication: boolean;
  readonly isGranted: boolean;
  /** Whether the agent goes on while it waits for the answer. */
  readonly isSlow: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  status: fc.constantFrom<Step['status']>(
    undefined,
    'pending',
    'in_progress',
    'completed',
    'failed',
    'ask',
    'ask',
  ),
  hasInput: fc.boolean(),
  isApplication: fc.integer({ max: 9, min: 0 }).map((n) => n === 0),
  isGranted: fc.boolean(),
  isSlow: fc.boolean(),
});

/** A run that records the order of its events, by the ids of the calls. */
class RecordingRun {
  readonly reported: string[] = [];
  /** What the application answers to the next question. */
  next: CallPermission = { granted: true };

  /** How many calls may still be asked about. */
  announced = 0;

  announce(pending: number): void {
    this.announced = pending;
  }

  toolCall({ toolCallId }: ToolCall): void {
    this.reported.push(`call ${toolCallId}`);
  }

  toolResult({ toolCallId }: ToolResult): void {
    this.reported.push(`result ${toolCallId}`);
  }

  extension(): void {
    // Progress may be sent as often as there is any.
  }

  async permission(call: ToolCall): Promise<CallPermission> {
    this.toolCall(call);
    const { next } = this;
    await Promise.resolve();
    if (!next.granted) this.toolResult({ ...call, content: 'denied' });
    return next;
  }
}

const denied: CallPermission = { granted: false, by: 'application' };

test('for any updates of an agent, each call is sent once, followed by one result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const run = new RecordingRun();
      const before = { toolCallId: 'before', name: 'other', input: { what: 'b' } };
      run.toolCall(before);
      const tracker = new CallTracker({
        run,
        earlier: new EarlierAnswers([{ call: before, kind: 'granted' }]),
        usedIds: new Set(['a', 'before']),
        isApplicationCall: ({ title }) => title === 'of the application',
        later: (report) => void report(),
      });
      const asked: Promise<unknown>[] = [];
      for (const { id, status, hasInput, isApplication, isGranted, isSlow } of steps) {
        const call = {
          toolCallId: id,
          ...(hasInput && { rawInput: { what: id } }),
          ...(isApplication && { title: 'of the application' }),
        };
        if (status === 'ask') {
          run.next = isGranted ? { granted: true } : denied;
          const permission = tracker.permission(call, []);
          asked.push(permission);
          if (!isSlow) await permission;
        } else {
          await tracker.note({ ...call, ...(status !== undefined && { status }) });
        }
      }
      await Promise.all(asked);
      await tracker.end('over');

      const { reported } = run;
      const calls = reported.filter((line) => line.startsWith('call '));
      const results = reported.filter((line) => line.startsWith('result '));
      expect(new Set(calls).size).toBe(calls.length);
      expect(new Set(results)).toEqual(new Set(calls.map((line) => line.replace('call', 'result'))));
      expect(results.length).toBe(calls.length);
      for (const result of results) {
        expect(reported.indexOf(result.replace('result', 'call'))).toBeLessThan(reported.indexOf(result));
      }
      expect(calls).not.toContain('call a');
    }),
    { numRuns: 300 },
  );
});

test('a running call is sent after a delay, or when it asks for permission', async () => {
  const run = new RecordingRun();
  const timers = new Map<number, () => void>();
  const tracker = new CallTracker({
    run,
    earlier: new EarlierAnswers([]),
    usedIds: new Set(),
    isApplicationCall: () => false,
    later: (report) => void report(),
    clock: {
      now: () => 0,
      after: (_ms, call) => {
        const id = timers.size;
        timers.set(id, call);
        return () => void timers.delete(id);
      },
    },
  });
  await tracker.note({ toolCallId: 'a', status: 'in_progress', rawInput: { command: 'make' } });
  await tracker.note({ toolCallId: 'b', status: 'in_progress', rawInput: { command: 'test' } });
  await tracker.permission({ toolCallId: 'a' }, []);
  expect(run.reported).toEqual(['call a']);
  expect([...timers.keys()]).toEqual([1]);
  timers.get(1)?.();
  expect(run.reported).toEqual(['call a', 'call b']);
});

test('a call is pending until it asks, is sent, or turns out to be a tool of the application', async () => {
  const run = new RecordingRun();
  const counts: number[] = [];
  const tracker = new CallTracker({
    run,
    earlier: new EarlierAnswers([]),
    usedIds: new Set(),
    isApplicationCall: ({ title }) => title === 'mcp__parley-app__weather',
    later: (report) => void report(),
  });
  const count = async (reported: void | Promise<unknown>): Promise<void> => {
    await reported;
    counts.push(run.announced);
  };

  await count(tracker.note({ toolCallId: 'a', status: 'pending' }));
  await count(tracker.note({ toolCallId: 'b', status: 'pending' }));
  await count(tracker.note({ toolCallId: 'c', title: 'mcp__parley-app__weather', status: 'pending' }));
  await count(tracker.note({ toolCallId: 'd', title: 'mcp__parley-app__weather', status: 'pending' }));
  expect(counts.splice(0)).toEqual([1, 2, 3, 4]);
  await count(tracker.permission({ toolCallId: 'a' }, []));
  await count(tracker.note({ toolCallId: 'b', status: 'completed' }));
  await count(tracker.hide({ name: 'weather', input: {} }));
  await count(tracker.note({ toolCallId: 'd', status: 'failed' }));
  await count(tracker.permission({ toolCallId: 'e' }, []));

  expect(counts).toEqual([3, 2, 1, 0, 0]);
});

test('ended calls make room for others', async () => {
  const run = new RecordingRun();
  const tracker = new CallTracker({
    run,
    earlier: new EarlierAnswers([]),
    usedIds: new Set(),
    isApplicationCall: () => false,
    later: (report) => void report(),
  });
  for (let n = 0; n < 10_050; n += 1) await tracker.note({ toolCallId: String(n), status: 'completed' });
  expect(run.reported).toHaveLength(2 * 10_050);
});

test('the output of a command that the agent runs itself is streamed and becomes its result', async () => {
  const reported: unknown[] = [];
  const tracker = new CallTracker({
    run: {
      announce: () => undefined,
      toolCall: () => undefined,
      toolResult: ({ content }) => void reported.push(content),
      extension: (_name, { text }) => void reported.push(text),
      permission: () => Promise.resolve(denied),
    },
    earlier: new EarlierAnswers([]),
    usedIds: new Set(),
    isApplicationCall: () => false,
    later: (report) => void report(),
  });
  const write = (data: string): { readonly toolCallId: string; readonly _meta: Record<string, unknown> } => ({
    toolCallId: 'a',
    _meta: { terminal_output_delta: { terminal_id: 'a', data } },
  });
  const content = [{ type: 'terminal', terminalId: 'a' }] as const;
  await tracker.note({ toolCallId: 'a', status: 'in_progress', rawInput: { command: 'ls' }, content });
  await tracker.note(write('one\n'));
  await tracker.note(write('two\n'));
  await tracker.note({ toolCallId: 'a', status: 'completed' });
  expect(reported).toEqual(['one\n', 'two\n', 'one\ntwo\n']);
});
