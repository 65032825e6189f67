import type { BridgedAgent } from '@parley/gateway';
import { HostError } from '@parley/host';
import { expect, test } from 'vitest';
import type { Log } from './log.ts';
import { AgentProbes } from './probe-agents.ts';

type Probed = Pick<BridgedAgent, 'info' | 'probe'>;

const offer = { capabilities: {}, authMethods: [] };

function agentOf(name: string, probe: Probed['probe']): Probed {
  const info = { name, version: '1.0.0', tools: [], options: [], capabilities: {} };
  return { info, probe };
}

/** Rejects when it is aborted, as a probe does. */
function untilAborted({ signal }: { readonly signal?: AbortSignal } = {}): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => {
      reject(new HostError('aborted', 'aborted'));
    });
  });
}

interface Stage {
  readonly log: Log;
  readonly lines: (readonly [string, unknown])[];
  readonly probed: string[];
  readonly onProbed: (name: string) => void;
}

function stage(): Stage {
  const lines: (readonly [string, unknown])[] = [];
  const probed: string[] = [];
  const take = (message: string, fields?: Readonly<Record<string, unknown>>): void => {
    lines.push([message, fields?.['agent']]);
  };
  return {
    lines,
    probed,
    log: { info: take, warn: take, error: take },
    onProbed: (name) => void probed.push(name),
  };
}

const signal = new AbortController().signal;

test('a hanging agent delays the start at most to the limit, and ends with the server', async () => {
  const { lines, ...options } = stage();
  const probes = new AgentProbes({ ...options, signal, waitMs: 0 });
  probes.begin([agentOf('slow', untilAborted)]);
  await probes.settled;
  await probes.close();
  expect(lines).toEqual([]);
});

test('agents that are added later are probed too, and the server waits for them', async () => {
  const { probed, ...options } = stage();
  const probes = new AgentProbes({ ...options, signal });
  probes.begin([agentOf('first', () => Promise.resolve(offer))]);
  probes.begin([agentOf('second', () => Promise.resolve(offer))]);
  await probes.settled;
  expect(probed).toEqual(['first', 'second']);
});

test('a failed probe is reported; an aborted one is not', async () => {
  const { lines, ...options } = stage();
  const start = new AbortController();
  const probes = new AgentProbes({ ...options, signal: start.signal });
  probes.begin([
    agentOf('broken', () => Promise.reject(new HostError('start-failed', 'not today'))),
    agentOf('slow', untilAborted),
  ]);
  start.abort();
  await probes.settled;
  expect(lines.map(([, agent]) => agent)).toEqual([]);

  const others = new AgentProbes({ ...options, signal });
  others.begin([agentOf('broken', () => Promise.reject(new HostError('start-failed', 'not today')))]);
  await others.settled;
  expect(lines).toEqual([[expect.stringContaining('could not be probed'), 'broken']]);
});
