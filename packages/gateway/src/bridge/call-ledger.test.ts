import type { ToolCall, ToolResult } from '@parley/aap';
import type { CallPermission } from '@parley/aap/server';
import type { ToolCallStatus } from '@parley/acp';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallLedger } from './call-ledger.ts';
import { EarlierAnswers } from './earlier-answers.ts';

/** What an agent does with one of its calls, in any order. */
interface Step {
  readonly id: string;
  readonly status: ToolCallStatus | 'ask' | undefined;
  readonly hasInput: boolean;
  /** Whether it tells of it as of a tool of the application. */
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

/** A run that keeps in which order it is told of what, by the ids of the calls. */
class RecordingRun {
  readonly told: string[] = [];
  /** What the application answers to the next question. */
  next: CallPermission = { granted: true };

  /** How many calls may still be asked about. */
  announced = 0;

  announce(pending: number): void {
    this.announced = pending;
  }

  toolCall({ toolCallId }: ToolCall): void {
    this.told.push(`call ${toolCallId}`);
  }

  toolResult({ toolCallId }: ToolResult): void {
    this.told.push(`result ${toolCallId}`);
  }

  extension(): void {
    // Progress may be told as often as there is any.
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

test('whatever an agent tells, each call is told once, and has one result, behind it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const run = new RecordingRun();
      const before = { toolCallId: 'before', name: 'other', input: { what: 'b' } };
      run.toolCall(before);
      const ledger = new CallLedger({
        run,
        earlier: new EarlierAnswers([{ call: before, kind: 'granted' }]),
        usedIds: new Set(['a', 'before']),
        isApplicationCall: ({ title }) => title === 'of the application',
        later: (telling) => void telling(),
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
          const permission = ledger.permission(call, []);
          asked.push(permission);
          if (!isSlow) await permission;
        } else {
          await ledger.note({ ...call, ...(status !== undefined && { status }) });
        }
      }
      await Promise.all(asked);
      await ledger.end('over');

      const { told } = run;
      const calls = told.filter((line) => line.startsWith('call '));
      const results = told.filter((line) => line.startsWith('result '));
      expect(new Set(calls).size).toBe(calls.length);
      expect(new Set(results)).toEqual(new Set(calls.map((line) => line.replace('call', 'result'))));
      expect(results.length).toBe(calls.length);
      for (const result of results) {
        expect(told.indexOf(result.replace('result', 'call'))).toBeLessThan(told.indexOf(result));
      }
      expect(calls).not.toContain('call a');
    }),
    { numRuns: 300 },
  );
});

test('a call that runs is told after a while, and not at all before it is asked about', async () => {
  const run = new RecordingRun();
  const timers = new Map<number, () => void>();
  const ledger = new CallLedger({
    run,
    earlier: new EarlierAnswers([]),
    usedIds: new Set(),
    isApplicationCall: () => false,
    later: (telling) => void telling(),
    clock: {
      now: () => 0,
      after: (_ms, call) => {
        const id = timers.size;
        timers.set(id, call);
        return () => void timers.delete(id);
      },
    },
  });
  await ledger.note({ toolCallId: 'a', status: 'in_progress', rawInput: { command: 'make' } });
  await ledger.note({ toolCallId: 'b', status: 'in_progress', rawInput: { command: 'test' } });
  await ledger.permission({ toolCallId: 'a' }, []);
  expect(run.told).toEqual(['call a']);
  expect([...timers.keys()]).toEqual([1]);
  timers.get(1)?.();
  expect(run.told).toEqual(['call a', 'call b']);
});

test('a call is announced until it is asked about, told, or made of a tool of the application', async () => {
  const run = new RecordingRun();
  const counts: number[] = [];
  const ledger = new CallLedger({
    run,
    earlier: new EarlierAnswers([]),
    usedIds: new Set(),
    isApplicationCall: ({ title }) => title === 'mcp__parley-app__weather',
    later: (telling) => void telling(),
  });
  const count = async (told: void | Promise<unknown>): Promise<void> => {
    await told;
    counts.push(run.announced);
  };

  await count(ledger.note({ toolCallId: 'a', status: 'pending' }));
  await count(ledger.note({ toolCallId: 'b', status: 'pending' }));
  await count(ledger.note({ toolCallId: 'c', title: 'mcp__parley-app__weather', status: 'pending' }));
  await count(ledger.note({ toolCallId: 'd', title: 'mcp__parley-app__weather', status: 'pending' }));
  expect(counts.splice(0)).toEqual([1, 2, 3, 4]);
  await count(ledger.permission({ toolCallId: 'a' }, []));
  await count(ledger.note({ toolCallId: 'b', status: 'completed' }));
  await count(ledger.hide({ name: 'weather', input: {} }));
  await count(ledger.note({ toolCallId: 'd', status: 'failed' }));
  await count(ledger.permission({ toolCallId: 'e' }, []));

  expect(counts).toEqual([3, 2, 1, 0, 0]);
});

test('calls that have ended make room for others', async () => {
  const run = new RecordingRun();
  const ledger = new CallLedger({
    run,
    earlier: new EarlierAnswers([]),
    usedIds: new Set(),
    isApplicationCall: () => false,
    later: (telling) => void telling(),
  });
  for (let n = 0; n < 10_050; n += 1) await ledger.note({ toolCallId: String(n), status: 'completed' });
  expect(run.told).toHaveLength(2 * 10_050);
});

test('what a command wrote that the agent runs itself is told while it runs, and is its result', async () => {
  const told: unknown[] = [];
  const ledger = new CallLedger({
    run: {
      announce: () => undefined,
      toolCall: () => undefined,
      toolResult: ({ content }) => void told.push(content),
      extension: (_name, { text }) => void told.push(text),
      permission: () => Promise.resolve(denied),
    },
    earlier: new EarlierAnswers([]),
    usedIds: new Set(),
    isApplicationCall: () => false,
    later: (telling) => void telling(),
  });
  const write = (data: string): { readonly toolCallId: string; readonly _meta: Record<string, unknown> } => ({
    toolCallId: 'a',
    _meta: { terminal_output_delta: { terminal_id: 'a', data } },
  });
  const content = [{ type: 'terminal', terminalId: 'a' }] as const;
  await ledger.note({ toolCallId: 'a', status: 'in_progress', rawInput: { command: 'ls' }, content });
  await ledger.note(write('one\n'));
  await ledger.note(write('two\n'));
  await ledger.note({ toolCallId: 'a', status: 'completed' });
  expect(told).toEqual(['one\n', 'two\n', 'one\ntwo\n']);
});
