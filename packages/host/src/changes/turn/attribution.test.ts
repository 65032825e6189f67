import type { ToolCallUpdate } from '@parley/acp';
import { expect, test } from 'vitest';
import { Attribution } from './attribution.ts';

const cwd = '/work';

function begin(): Attribution {
  const attribution = new Attribution([cwd]);
  attribution.beginTurn(0);
  return attribution;
}

function call(attribution: Attribution, time: number, update: ToolCallUpdate): void {
  attribution.note({ type: 'tool-call', call: update }, time);
}

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
] as const;

test('a call that can write accounts for the files in its locations and diffs, and for files in a named folder', () => {
  const attribution = begin();
  call(attribution, 1, { toolCallId: 'a', kind: 'edit', locations: [{ path: '/work/a.txt' }] });
  call(attribution, 2, {
    toolCallId: 'b',
    kind: 'edit',
    content: [{ type: 'diff', path: '/work/b.txt', newText: '' }],
  });
  call(attribution, 3, { toolCallId: 'c', kind: 'delete', locations: [{ path: '/work/folder' }] });

  const named = ['a.txt', 'b.txt', 'folder/deep/c.txt', 'folder2/c.txt', 'd.txt'].filter((file) =>
    attribution.names(file),
  );

  expect(named).toEqual(['a.txt', 'b.txt', 'folder/deep/c.txt']);
});

test('a call that reads accounts for nothing, and one that names the whole folder or a file elsewhere names nothing', () => {
  const attribution = begin();
  call(attribution, 1000, { toolCallId: 'a', kind: 'read', locations: [{ path: '/work/a.txt' }] });
  call(attribution, 2000, {
    toolCallId: 'b',
    kind: 'edit',
    locations: [{ path: '/work' }, { path: '/other/a.txt' }],
  });

  expect(attribution.names('a.txt')).toBe(false);
  expect(attribution.covers(1000)).toBe(false);
});

test('a command accounts for files that changed while its call was open', () => {
  const attribution = begin();
  call(attribution, 1000, { toolCallId: 'a', kind: 'execute', status: 'in_progress' });
  call(attribution, 2000, { toolCallId: 'a', status: 'completed' });

  expect([800, 1000, 1500, 2000, 2001].map((time) => attribution.covers(time))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});

test('the millisecond in which a call ends belongs to it: file systems note parts of one', () => {
  const attribution = begin();
  call(attribution, 1000, { toolCallId: 'a', kind: 'execute', status: 'in_progress' });
  call(attribution, 2000, { toolCallId: 'a', status: 'completed' });

  expect([2000.9, 2001.1].map((time) => attribution.covers(time))).toEqual([true, false]);
});

test('a call that is open at the end of the turn accounts for changes until then', () => {
  const attribution = begin();
  call(attribution, 1000, { toolCallId: 'a', kind: 'execute' });
  attribution.endTurn(5000);

  expect(attribution.covers(4999)).toBe(true);
  expect(attribution.covers(5001)).toBe(false);
});

test('a call is not open while a user decides about it, and a rejected call accounts for nothing', () => {
  const attribution = begin();
  const toolCall = { toolCallId: 'a', kind: 'edit', locations: [{ path: '/work/a.txt' }] } as const;
  call(attribution, 1000, toolCall);
  attribution.note({ type: 'permission-request', toolCall }, 1100);
  attribution.note({ type: 'permission', toolCallId: 'a', options, decision: 'no' }, 9000);
  call(attribution, 9100, { ...toolCall, status: 'failed' });

  expect(attribution.covers(5000)).toBe(false);
  expect(attribution.names('a.txt')).toBe(false);
});

test('an allowed call is open from its permission on', () => {
  const attribution = begin();
  const toolCall = { toolCallId: 'a', kind: 'execute' } as const;
  call(attribution, 1000, toolCall);
  attribution.note({ type: 'permission-request', toolCall }, 1100);
  attribution.note({ type: 'permission', toolCallId: 'a', options, decision: 'yes' }, 9000);
  call(attribution, 9500, { toolCallId: 'a', status: 'completed' });

  expect([5000, 9200, 9600].map((time) => attribution.covers(time))).toEqual([false, true, false]);
});

test('a client command that continues in the next turn accounts for changes there; a call of the previous turn does not', () => {
  const attribution = begin();
  attribution.note({ type: 'terminal-start', terminalId: 't' }, 1000);
  call(attribution, 1000, { toolCallId: 'a', kind: 'execute' });
  attribution.endTurn(2000);
  attribution.note({ type: 'terminal-end', terminalId: 't' }, 1500);

  attribution.beginTurn(10_000);
  expect(attribution.covers(1200)).toBe(false);
  attribution.endTurn(20_000);
  expect(attribution.covers(15_000)).toBe(false);

  attribution.note({ type: 'terminal-start', terminalId: 'u' }, 20_500);
  attribution.beginTurn(30_000);
  attribution.endTurn(40_000);
  expect(attribution.covers(35_000)).toBe(true);
});

test('setting the clock back during a call leaves no gap', () => {
  const attribution = begin();
  call(attribution, 5000, { toolCallId: 'a', kind: 'execute' });
  call(attribution, 3000, { toolCallId: 'a', status: 'completed' });

  expect(attribution.covers(4000)).toBe(true);
});
