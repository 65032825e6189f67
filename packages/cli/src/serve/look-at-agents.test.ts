import type { BridgedAgent } from '@parley/gateway';
import { HostError } from '@parley/host';
import { expect, test } from 'vitest';
import type { Log } from './log.ts';
import { lookAtAgents } from './look-at-agents.ts';

type Looked = Pick<BridgedAgent, 'info' | 'probe'>;

function agentOf(name: string, probe: Looked['probe']): Looked {
  const info = { name, version: '1.0.0', tools: [], options: [], capabilities: {} };
  return { info, probe };
}

/** Rejects when the look is given up, as a probe does. */
function untilGivenUp({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => {
      reject(new HostError('aborted', 'given up'));
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

test('an agent that takes long keeps nobody waiting, and is known as soon as it has shown what it offers', async () => {
  let show = (): void => undefined;
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  const { log, lines } = openLog();
  const slow = agentOf('slow', () => shown);
  const fast = agentOf('fast', () => Promise.resolve());

  const close = await lookAtAgents([slow, fast], { log, signal: forever, waitMs: 0 });

  expect(lines).toContainEqual([expect.stringContaining('takes long'), 'slow']);
  expect(lines).not.toContainEqual(['agent', 'slow']);
  show();
  await close();
  expect(lines).toContainEqual(['agent', 'slow']);
});

test('one that fails is told, and one that is given up at the end is not', async () => {
  const { log, lines } = openLog();
  const broken = agentOf('broken', () => Promise.reject(new HostError('start-failed', 'not today')));
  const slow = agentOf('slow', untilGivenUp);

  const close = await lookAtAgents([broken, slow], { log, signal: forever, waitMs: 0 });
  await close();

  const failed = lines.filter(([message]) => message.includes('does not show'));
  expect(failed.map(([, agent]) => agent)).toEqual(['broken']);
});

test('who gives up the start waits for nothing', async () => {
  const { log, lines } = openLog();
  const start = new AbortController();
  const looking = lookAtAgents([agentOf('slow', untilGivenUp)], { log, signal: start.signal });
  start.abort();

  await looking;

  expect(lines).toEqual([]);
});
