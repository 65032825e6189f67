import { manualClock } from '@parley/conformance';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { settle } from '../../test/raw-peer.ts';
import type { OutgoingFrame, Receiver, Transport } from '../transport.ts';
import { connect } from './connect.ts';
import type { Connection } from './connection.ts';

type Step =
  | { readonly do: 'request'; readonly lane: number; readonly limitMs: number | undefined }
  | { readonly do: 'notify'; readonly length: number }
  | { readonly do: 'answer' | 'refuse' | 'answer-badly' | 'abort' | 'cancel-served'; readonly index: number }
  | { readonly do: 'hear'; readonly lane: number; readonly how: 'quick' | 'slow' | 'asks' | 'throws' }
  | { readonly do: 'asked'; readonly lane: number; readonly how: 'quick' | 'slow' | 'throws' }
  | { readonly do: 'block' | 'drain' | 'fail-writing' | 'open-gates' | 'wait' | 'close' | 'end' }
  | { readonly do: 'advance'; readonly ms: number };

const lane = fc.integer({ min: 0, max: 1 });
const index = fc.nat({ max: 8 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      lane,
      limitMs: fc.option(fc.constant(50), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('notify' as const), length: fc.constantFrom(1, 200, 3000) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('answer', 'refuse', 'answer-badly', 'abort', 'cancel-served'),
      index,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('hear' as const),
      lane,
      how: fc.constantFrom('quick', 'slow', 'asks', 'throws'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('asked' as const),
      lane,
      how: fc.constantFrom('quick', 'slow', 'throws'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('block', 'drain', 'open-gates', 'wait', 'wait') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('fail-writing', 'close', 'end') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(10, 60, 1000) }),
  },
);

test('any interleaving of close, cancel, answers and backpressure settles every promise once and leaks nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const world = openWorld();
      for (const each of steps) await world.take(each);
      await world.finish();
      expect(world.unsettled()).toEqual([]);
      expect(world.answersPerId()).toSatisfy((counts: readonly number[]) =>
        counts.every((count) => count <= 1),
      );
      expect(world.clock.timers).toBe(0);
      expect(world.listeners()).toBe(0);
    }),
    { numRuns: 1000 },
  );
}, 300_000);

function openWorld() {
  const clock = manualClock();
  const written: OutgoingFrame[] = [];
  const aborts: AbortController[] = [];
  const asked: string[] = [];
  const settled = new Map<string, number>();
  let gates: (() => void)[] = [];
  let blocked: { resolve(): void; reject(error: Error): void } | undefined;
  let isBlocking = false;
  let listenerCount = 0;
  let receiver: Receiver | undefined;
  let count = 0;

  const transport: Transport = {
    start: (started) => {
      receiver = started;
    },
    send(batch) {
      written.push(...batch);
      if (!isBlocking) return undefined;
      return new Promise((resolve, reject) => {
        blocked = { resolve, reject };
      });
    },
    close: () => Promise.resolve(),
  };
  const gate = (): Promise<void> => new Promise((resolve) => gates.push(resolve));
  const connection: Connection = connect(transport, {
    clock,
    laneOf: (_method, params) => JSON.stringify(params).slice(0, 10),
    limits: {
      queuedMessages: 3,
      unsentSoft: 100,
      unsentHard: 5000,
      outgoingRequests: 20,
      incomingRequests: 5,
    },
    async onRequest(method) {
      if (method === 'slow') await gate();
      if (method === 'throws') throw new Error('broken');
      return {};
    },
    onNotification(method) {
      if (method === 'throws') throw new Error('broken');
      if (method === 'slow') return gate();
      if (method === 'asks') return track('nested', connection.request('nested'));
      return undefined;
    },
  });

  function track(name: string, promise: Promise<unknown>): Promise<void> {
    const key = `${name} ${++count}`;
    settled.set(key, 0);
    const note = (): void => void settled.set(key, (settled.get(key) ?? 0) + 1);
    return promise.then(note, note);
  }

  function countingSignal(abort: AbortController): AbortSignal {
    const { signal } = abort;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    const live = new Set<unknown>();
    signal.addEventListener = (type: string, listener: () => void) => {
      live.add(listener);
      listenerCount++;
      add(type, listener);
    };
    signal.removeEventListener = (type: string, listener: () => void) => {
      if (live.delete(listener)) listenerCount--;
      remove(type, listener);
    };
    return signal;
  }

  const sentId = (place: number): number | undefined => {
    const ids = written.flatMap(({ message }) =>
      'method' in message && 'id' in message ? [Number(message.id)] : [],
    );
    return ids[place % ids.length];
  };
  const say = (value: unknown): void => void receiver?.receive([value], 50);

  async function take(each: Step): Promise<void> {
    switch (each.do) {
      case 'request': {
        const abort = new AbortController();
        aborts.push(abort);
        const options = {
          signal: countingSignal(abort),
          ...(each.limitMs !== undefined && { timeoutMs: each.limitMs }),
        };
        return void track('request', connection.request('ask', { lane: each.lane }, options));
      }
      case 'notify':
        return void track('notify', connection.notify('note', { text: 'x'.repeat(each.length) }));
      case 'answer':
        return say({ jsonrpc: '2.0', id: sentId(each.index) ?? 999, result: {} });
      case 'refuse':
        return say({
          jsonrpc: '2.0',
          id: sentId(each.index) ?? null,
          error: { code: -32603, message: 'no' },
        });
      case 'answer-badly':
        return say({ jsonrpc: '2.0', id: sentId(each.index) ?? 999 });
      case 'abort':
        return aborts[each.index % aborts.length]?.abort();
      case 'cancel-served':
        return say({
          jsonrpc: '2.0',
          method: '$/cancel_request',
          params: { requestId: asked[each.index % asked.length] ?? 'none' },
        });
      case 'hear':
        return say({ jsonrpc: '2.0', method: each.how, params: { lane: each.lane } });
      case 'asked': {
        const id = `peer ${asked.length}`;
        asked.push(id);
        return say({ jsonrpc: '2.0', id, method: each.how, params: { lane: each.lane } });
      }
      case 'block':
        isBlocking = true;
        return;
      case 'drain':
        isBlocking = false;
        blocked?.resolve();
        return;
      case 'fail-writing':
        return blocked?.reject(new Error('EPIPE'));
      case 'open-gates':
        for (const open of gates.splice(0)) open();
        return;
      case 'wait':
        return settle();
      case 'advance':
        return clock.advance(each.ms);
      case 'close':
        return void track('close', connection.close());
      case 'end':
        return receiver?.close({ code: 'end-of-input', message: 'gone' });
    }
  }

  async function finish(): Promise<void> {
    void track('closed', connection.closed);
    void track('last close', connection.close());
    for (let turn = 0; turn < 3; turn++) {
      await settle();
      clock.advance(200_000);
    }
    gates = [];
    await settle();
  }

  return {
    clock,
    take,
    finish,
    unsettled: () => [...settled].filter(([, times]) => times !== 1),
    listeners: () => listenerCount,
    answersPerId: () =>
      asked.map(
        (id) =>
          written.filter(({ message }) => 'id' in message && message.id === id && !('method' in message))
            .length,
      ),
  };
}
