import type { BridgedAgent } from '@parley/gateway';
import { HostError } from '@parley/host';
import { expect, test } from 'vitest';
import type { Log } from './log.ts';
import { probeAgents } from './probe-agents.ts';

type Looked = Pick<BridgedAgent, 'info' | 'probe'>;

function agentOf(name: string, probe: Looked['probe']): Looked {
  const info = { name, version: '1.0.0', tools: [], options: [], capabilities: {} };
  return { info, probe };
}

/** Rejects when it is aborted, as a probe does. */
function untilAborted({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => {
      reject(new HostError('aborted', 'aborted'));
    });
  });
}

function openLog(): { readonly log: Log; readonly lines: (readonly [string, unknown])[] } {
  const lines: (readonly [string, unknown])[] = [];
  const take = (message: string, fields?: Readonly<Record<string, unknown>>): void => {
    lines.push([message, fields?.['agent']]);
  };
  return { lines, log: { info: take, warn: take, error: take } };
}

const forever = new AbortController().signal;

test('a slow agent does not delay the start, and is known as soon as its probe ends', async () => {
  let show = (): void => undefined;
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  const { log, lines } = openLog();
  const slow = agentOf('slow', () => shown);
  const fast = agentOf('fast', () => Promise.resolve());

  const close = await probeAgents([slow, fast], { log, signal: forever, waitMs: 0 });

  expect(lines).toContainEqual([expect.stringContaining('takes long'), 'slow']);
  expect(lines).not.toContainEqual(['agent', 'slow']);
  show();
  await close();
  expect(lines).toContainEqual(['agent', 'slow']);
});

test('a failed probe is reported, and one that is aborted at the end is not', async () => {
  const { log, lines } = openLog();
  const broken = agentOf('broken', () => Promise.reject(new HostError('start-failed', 'not today')));
  const slow = agentOf('slow', untilAborted);

  const close = await probeAgents([broken, slow], { log, signal: forever, waitMs: 0 });
  await close();

  const failed = lines.filter(([message]) => message.includes('does not show'));
  expect(failed.map(([, agent]) => agent)).toEqual(['broken']);
});

test('aborting the start does not wait for probes', async () => {
  const { log, lines } = openLog();
  const start = new AbortController();
  const looking = probeAgents([agentOf('slow', untilAborted)], { log, signal: start.signal });
  start.abort();

  await looking;

  expect(lines).toEqual([]);
});
