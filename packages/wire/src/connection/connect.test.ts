import { getEventListeners } from 'node:events';
import { manualClock } from '@parley/conformance';
import { describe, expect, test } from 'vitest';
import { rawPeer, settle, type RawPeer } from '../../test/raw-peer.ts';
import { memoryPair } from '../memory.ts';
import { RpcError, rpcCodes } from '../rpc-error.ts';
import { Deadline } from '../time/deadline.ts';
import type { Receiver, Transport } from '../transport.ts';
import { connect } from './connect.ts';
import type { ObservedFrame } from './connection-options.ts';
import type { Connection } from './connection.ts';
import type { Diagnostic } from './diagnostic.ts';

const laneOf = (_method: string, params: unknown): string | undefined =>
  typeof params === 'object' && params !== null && 'lane' in params ? String(params.lane) : undefined;

/** A promise and the key to it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('order', () => {
  test('notifications of a lane are handled one after another, however long each takes', async () => {
    const peer = rawPeer();
    const log: string[] = [];
    const first = gate();
    connect(peer.transport, {
      laneOf,
      onNotification: async (method) => {
        log.push(`${method} begins`);
        if (method === 'a') await first.opened;
        log.push(`${method} ends`);
      },
    });
    peer.say({ jsonrpc: '2.0', method: 'a' }, { jsonrpc: '2.0', method: 'b' });
    await settle();
    expect(log).toEqual(['a begins']);
    first.open();
    await settle();
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  test('another lane does not wait', async () => {
    const peer = rawPeer();
    const log: string[] = [];
    const never = gate();
    connect(peer.transport, {
      laneOf,
      onNotification: async (method) => {
        log.push(method);
        if (method === 'slow') await never.opened;
      },
    });
    peer.say(
      { jsonrpc: '2.0', method: 'slow', params: { lane: 1 } },
      { jsonrpc: '2.0', method: 'quick', params: { lane: 2 } },
    );
    await settle();
    expect(log).toEqual(['slow', 'quick']);
  });

  test('an answer waits for the notifications that came before it', async () => {
    const peer = rawPeer();
    const log: string[] = [];
    const handled = gate();
    const connection = connect(peer.transport, {
      onNotification: async () => {
        await handled.opened;
        log.push('update handled');
      },
    });
    const answer = connection.request('prompt').then(() => log.push('prompt answered'));
    await peer.hears(1);
    peer.say({ jsonrpc: '2.0', method: 'update' }, { jsonrpc: '2.0', id: 1, result: {} });
    await settle();
    expect(log).toEqual([]);
    handled.open();
    await answer;
    expect(log).toEqual(['update handled', 'prompt answered']);
  });

  test('an answer without a lane waits for every lane', async () => {
    const peer = rawPeer();
    const log: string[] = [];
    const gates = { one: gate(), two: gate() };
    const connection = connect(peer.transport, {
      laneOf,
      onNotification: (method) => (method === 'one' ? gates.one.opened : gates.two.opened),
    });
    const answer = connection.request('list').then(() => log.push('answered'));
    await peer.hears(1);
    peer.say(
      { jsonrpc: '2.0', method: 'one', params: { lane: 1 } },
      { jsonrpc: '2.0', method: 'two', params: { lane: 2 } },
      { jsonrpc: '2.0', id: 1, result: {} },
    );
    gates.one.open();
    await settle();
    expect(log).toEqual([]);
    gates.two.open();
    await answer;
  });

  test('requests start in order, and the lane does not wait for their answers', async () => {
    const peer = rawPeer();
    const log: string[] = [];
    const never = gate();
    connect(peer.transport, {
      laneOf,
      onRequest: async (method) => {
        log.push(method);
        await never.opened;
      },
      onNotification: (method) => void log.push(method),
    });
    peer.say(
      { jsonrpc: '2.0', id: 1, method: 'prompt', params: { lane: 1 } },
      { jsonrpc: '2.0', method: 'cancel', params: { lane: 1 } },
    );
    await settle();
    expect(log).toEqual(['prompt', 'cancel']);
  });

  test('a notification handler can ask the peer and wait for the answer', async () => {
    const peer = rawPeer();
    const log: unknown[] = [];
    connect(peer.transport, {
      onNotification: async (method, _params, connection) => {
        log.push(method);
        if (method === 'a') log.push(await connection.request('question'));
      },
    });
    peer.say({ jsonrpc: '2.0', method: 'a' });
    await peer.hears(1);
    peer.say({ jsonrpc: '2.0', method: 'b' }, { jsonrpc: '2.0', id: 1, result: 'yes' });
    await settle();
    expect(log).toEqual(['a', 'b', 'yes']);
  });

  test('a handler that asks is not answered behind a lane that is full', async () => {
    const peer = rawPeer();
    const log: unknown[] = [];
    connect(peer.transport, {
      limits: { queuedMessages: 4 },
      onNotification: async (method, _params, connection) => {
        if (method === 'asks') log.push(await connection.request('question'));
        else log.push(method);
      },
    });
    peer.say({ jsonrpc: '2.0', method: 'asks' });
    await peer.hears(1);
    peer.say(...Array.from({ length: 20 }, () => ({ jsonrpc: '2.0', method: 'more' })));
    peer.say({ jsonrpc: '2.0', id: 1, result: 'answer' });
    await settle();
    expect(log.filter((entry) => entry === 'more')).toHaveLength(20);
    expect(log).toContain('answer');
  });

  test('what the caller reads from a result happens before later messages are looked at', async () => {
    const peer = rawPeer();
    const log: string[] = [];
    const connection = connect(peer.transport, { onNotification: (method) => void log.push(method) });
    const answer = connection.request('new', {}, { read: () => log.push('read') });
    await peer.hears(1);
    peer.say({ jsonrpc: '2.0', id: 1, result: {} }, { jsonrpc: '2.0', method: 'update' });
    await answer;
    await settle();
    expect(log).toEqual(['read', 'update']);
  });

  test.each([
    ['at once', () => 'done'],
    ['later', async () => await Promise.resolve('done')],
  ])(
    'what a handler wants to follow its answer comes right behind it: answered %s',
    async (_when, answer) => {
      const peer = rawPeer();
      connect(peer.transport, {
        onRequest: (_method, _params, { afterAnswer, connection }) => {
          afterAnswer(() => connection.notify('first'));
          afterAnswer(() => connection.notify('second'));
          return answer();
        },
      });
      peer.say({ jsonrpc: '2.0', id: 1, method: 'new' });
      await settle();
      expect(peer.heard).toEqual([
        { jsonrpc: '2.0', id: 1, result: 'done' },
        { jsonrpc: '2.0', method: 'first' },
        { jsonrpc: '2.0', method: 'second' },
      ]);
    },
  );

  test('nothing follows an answer that is an error', async () => {
    const peer = rawPeer();
    connect(peer.transport, {
      onRequest: (_method, _params, { afterAnswer, connection }) => {
        afterAnswer(() => connection.notify('never'));
        throw new RpcError(-32000, 'no');
      },
    });
    peer.say({ jsonrpc: '2.0', id: 1, method: 'new' });
    await settle();
    expect(peer.heard).toMatchObject([{ id: 1, error: { code: -32000 } }]);
  });

  test('a failure after an answer is a diagnostic, and later messages are handled', async () => {
    const peer = rawPeer();
    const diagnostics: Diagnostic[] = [];
    connect(peer.transport, {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      onRequest: (_method, _params, { afterAnswer, connection }) => {
        afterAnswer(() => {
          throw new Error('at once');
        });
        afterAnswer(() => Promise.reject(new Error('later')));
        afterAnswer(() => connection.notify('third'));
      },
    });
    peer.say({ jsonrpc: '2.0', id: 1, method: 'new' });
    await settle();
    expect(diagnostics).toMatchObject([{ code: 'handler-failed' }, { code: 'handler-failed' }]);
    expect(peer.heard).toMatchObject([{ id: 1 }, { method: 'third' }]);
  });
});

describe('backpressure', () => {
  test('a slow handler slows the sender', async () => {
    const [left, right] = memoryPair();
    const go = gate();
    let handled = 0;
    connect(right, {
      limits: { queuedMessages: 10 },
      onNotification: async () => {
        await go.opened;
        handled++;
      },
    });
    const sender = connect(left, { limits: { unsentSoft: 100 } });
    let sent = 0;
    const sending = (async () => {
      for (let index = 0; index < 200; index++) {
        await sender.notify('update', { index });
        sent++;
      }
    })();
    await settle();
    expect(sent).toBeLessThan(60);
    go.open();
    await sending;
    await settle();
    expect(handled).toBe(200);
  });

  test('a peer that stops reading makes notify wait, then fail', async () => {
    const clock = manualClock();
    const connection = connect(stuckTransport(), {
      clock,
      limits: { unsentSoft: 10, unsentHard: 1000, stallMs: 500 },
    });
    const waiting = connection.notify('update', { text: 'x'.repeat(100) });
    const outcome = expect(waiting).rejects.toMatchObject({ code: 'stalled' });
    await settle();
    await expect(connection.notify('update', { text: 'x'.repeat(2000) })).rejects.toMatchObject({
      code: 'overloaded',
    });
    clock.advance(500);
    await outcome;
    await expect(connection.closed).resolves.toMatchObject({ code: 'stalled' });
    await expect(connection.notify('update')).rejects.toMatchObject({ code: 'closed' });
  });

  test('a peer that asks and never reads is cut off', async () => {
    const { transport, receiver } = heldTransport();
    const connection = connect(transport, {
      onRequest: () => ({ text: 'x'.repeat(1000) }),
      limits: { unsentHard: 5000 },
    });
    for (let id = 0; id < 20; id++) void receiver().receive([{ jsonrpc: '2.0', id, method: 'read' }], 40);
    await expect(connection.closed).resolves.toMatchObject({ code: 'stalled' });
  });

  test('one message may be longer than the bound', async () => {
    const peer = rawPeer();
    const connection = connect(peer.transport, { limits: { unsentHard: 10 } });
    await connection.notify('update', { text: 'x'.repeat(1000) });
    expect(await peer.hears(1)).toMatchObject([{ method: 'update' }]);
  });

  test('messages of one tick leave in one write', async () => {
    const { transport, batches } = countingTransport();
    const connection = connect(transport);
    for (let index = 0; index < 100; index++) await connection.notify('update');
    await settle();
    expect(batches).toEqual([100]);
  });

  test('a peer that is asked a lot at once is at work on the first requests while the last are made', async () => {
    const { transport, batches } = countingTransport();
    const connection = connect(transport);
    const asked = Array.from({ length: 40 }, () => connection.request('read').catch(() => {}));
    expect(batches).toEqual([16, 16]);
    await settle();
    expect(batches).toEqual([16, 16, 8]);
    await connection.close();
    await Promise.all(asked);
  });

  test('more requests than the bound are refused, on both sides', async () => {
    const peer = rawPeer();
    const connection = connect(peer.transport, {
      onRequest: () => new Promise(() => {}),
      limits: { incomingRequests: 1, outgoingRequests: 1 },
    });
    peer.say({ jsonrpc: '2.0', id: 1, method: 'a' }, { jsonrpc: '2.0', id: 2, method: 'b' });
    const [refused] = await peer.hears(1);
    expect(refused).toMatchObject({ id: 2, error: { code: -32603 } });
    const open = expect(connection.request('c')).rejects.toMatchObject({ code: 'closed' });
    await expect(connection.request('d')).rejects.toMatchObject({ code: 'overloaded', method: 'd' });
    await connection.close();
    await open;
  });

  test('a flood of notifications is bounded by what one read brings and the queue', async () => {
    const { transport, receiver } = heldTransport();
    const go = gate();
    connect(transport, { onNotification: () => go.opened, limits: { queuedMessages: 8 } });
    const batch = Array.from({ length: 10 }, () => ({ jsonrpc: '2.0', method: 'flood' }));
    const pause = receiver().receive(batch, 300);
    expect(pause).toBeInstanceOf(Promise);
    go.open();
    await pause;
  });
});

describe('settlement', () => {
  test('closing rejects what is pending, naming method and id', async () => {
    const [left, right] = memoryPair();
    const connection = connect(left);
    const answer = connection.request('slow');
    await connect(right).close();
    await expect(answer).rejects.toMatchObject({ code: 'closed', method: 'slow', id: 1 });
    await expect(connection.request('later')).rejects.toMatchObject({ code: 'closed', method: 'later' });
  });

  test('an answer that arrived before the end is given, though its lane is stuck', async () => {
    const peer = rawPeer();
    const connection = connect(peer.transport, {
      onNotification: () => new Promise(() => {}),
      limits: { endMs: 10 },
    });
    const answer = connection.request('prompt');
    await peer.hears(1);
    peer.say({ jsonrpc: '2.0', method: 'stuck' }, { jsonrpc: '2.0', id: 1, result: 'done' });
    await settle();
    await peer.close();
    await expect(answer).resolves.toBe('done');
    await expect(connection.closed).resolves.toMatchObject({ code: 'end-of-input' });
  });

  test('the end aborts the handlers, and their answers still leave where they can', async () => {
    const { transport, receiver, sent } = heldTransport();
    const connection = connect(transport, {
      onRequest: (_method, _params, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ stopReason: 'cancelled' })),
        ),
    });
    void receiver().receive([{ jsonrpc: '2.0', id: 7, method: 'prompt' }], 40);
    receiver().close({ code: 'end-of-input', message: 'gone' });
    expect(connection.signal.aborted).toBe(true);
    await connection.closed;
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 7, result: { stopReason: 'cancelled' } }]);
  });

  test('the answer of a handler after the close is ignored', async () => {
    const peer = rawPeer();
    const late = gate();
    const connection = connect(peer.transport, { onRequest: () => late.opened });
    peer.say({ jsonrpc: '2.0', id: 1, method: 'slow' });
    await settle();
    await connection.close();
    late.open();
    await settle();
    expect(peer.heard).toEqual([]);
  });

  test('a handler that never returns does not keep the connection from closing', async () => {
    const peer = rawPeer();
    const connection = connect(peer.transport, {
      onRequest: () => new Promise(() => {}),
      onNotification: () => new Promise(() => {}),
      limits: { endMs: 10 },
    });
    peer.say({ jsonrpc: '2.0', id: 1, method: 'hang' }, { jsonrpc: '2.0', method: 'hang' });
    await settle();
    await peer.close();
    await expect(connection.closed).resolves.toMatchObject({ code: 'end-of-input' });
  });

  test('a failed write ends the connection with its cause', async () => {
    const broken: Transport = {
      start() {},
      send: () => Promise.reject(new Error('EPIPE')),
      close: () => Promise.resolve(),
    };
    const connection = connect(broken);
    const answer = connection.request('prompt');
    await expect(answer).rejects.toMatchObject({ code: 'closed', method: 'prompt' });
    await expect(connection.closed).resolves.toMatchObject({ code: 'failed' });
  });

  test('a connection is disposed of by leaving its block', async () => {
    const peer = rawPeer();
    {
      await using connection = connect(peer.transport);
      await connection.notify('hello');
    }
    await expect(peer.closed).resolves.toMatchObject({ code: 'end-of-input' });
    expect(peer.heard).toEqual([{ jsonrpc: '2.0', method: 'hello' }]);
  });
});

describe('time', () => {
  test('a request without an answer times out, and notifies the peer', async () => {
    const clock = manualClock();
    const peer = rawPeer();
    const diagnostics: Diagnostic[] = [];
    const connection = connect(peer.transport, { clock, onDiagnostic: (entry) => diagnostics.push(entry) });
    const answer = connection.request('slow', {}, { timeoutMs: 100 });
    const outcome = expect(answer).rejects.toMatchObject({ code: 'timeout', method: 'slow', id: 1 });
    clock.advance(100);
    await outcome;
    expect(await peer.hears(2)).toMatchObject([
      { id: 1 },
      { method: '$/cancel_request', params: { requestId: 1 } },
    ]);
    peer.say({ jsonrpc: '2.0', id: 1, result: {} });
    await settle();
    expect(diagnostics).toMatchObject([{ code: 'late-answer', id: 1 }]);
  });

  test('the answer to a request that was cancelled is expected, and not reported', async () => {
    const peer = rawPeer();
    const diagnostics: Diagnostic[] = [];
    const connection = connect(peer.transport, { onDiagnostic: (entry) => diagnostics.push(entry) });
    const controller = new AbortController();
    const answer = connection.request('slow', {}, { signal: controller.signal });
    const outcome = expect(answer).rejects.toMatchObject({ code: rpcCodes.requestCancelled });
    controller.abort();
    await outcome;
    await peer.hears(2);
    peer.say({ jsonrpc: '2.0', id: 1, result: {} }, { jsonrpc: '2.0', id: 1, result: {} });
    await settle();
    expect(diagnostics).toMatchObject([{ code: 'unknown-answer', id: 1 }]);
  });

  test('silence is measured per lane', async () => {
    const clock = manualClock();
    const peer = rawPeer();
    const connection = connect(peer.transport, { clock, laneOf, idleTimeoutMs: 100 });
    const quiet = connection.request('prompt', { lane: 1 });
    const lively = connection.request('prompt', { lane: 2 });
    const outcome = expect(quiet).rejects.toMatchObject({ code: 'idle' });
    await peer.hears(2);
    clock.advance(60);
    peer.say({ jsonrpc: '2.0', method: 'update', params: { lane: 2 } });
    await settle();
    clock.advance(60);
    await outcome;
    peer.say({ jsonrpc: '2.0', id: 2, result: 'fine' });
    await expect(lively).resolves.toBe('fine');
  });
});

describe('cancellation', () => {
  test('an aborted signal sends $/cancel_request and settles as -32800', async () => {
    const peer = rawPeer();
    const abort = new AbortController();
    const connection = connect(peer.transport);
    const answer = connection.request('slow', {}, { signal: abort.signal });
    abort.abort();
    await expect(answer).rejects.toMatchObject({ name: 'RpcError', code: -32800 });
    expect(await peer.hears(2)).toMatchObject([
      { id: 1 },
      { method: '$/cancel_request', params: { requestId: 1 } },
    ]);
  });

  test('a withdrawn request sends $/cancel_request, and still settles with its answer', async () => {
    const peer = rawPeer();
    const abort = new AbortController();
    const answer = connect(peer.transport).request('slow', {}, { withdrawal: abort.signal });
    abort.abort();
    expect(await peer.hears(2)).toMatchObject([
      { id: 1 },
      { method: '$/cancel_request', params: { requestId: 1 } },
    ]);
    peer.say({ jsonrpc: '2.0', id: 1, result: 'after all' });
    expect(await answer).toBe('after all');
  });

  test('a second request with the same deadline is rejected, and not sent', async () => {
    const peer = rawPeer();
    const connection = connect(peer.transport);
    const deadline = new Deadline({ timeoutMs: 1000, clock: manualClock() });
    const first = connection.request('first', {}, { deadline });
    await expect(connection.request('second', {}, { deadline })).rejects.toThrow(TypeError);
    peer.say({ jsonrpc: '2.0', id: 1, result: 'answer' });
    expect(await first).toBe('answer');
    expect(await peer.hears(1)).toMatchObject([{ method: 'first' }]);
  });

  test('requests under different signals, in any order, are cancelled with their own signal only', async () => {
    const peer = rawPeer();
    const connection = connect(peer.transport);
    const signals = [new AbortController(), new AbortController(), new AbortController()];
    const outcomes: string[] = [];
    const answers = [0, 1, 0, 2, 1, 0].map((which, index) =>
      connection
        .request('slow', {}, signals[which] && { signal: signals[which].signal })
        .then(String, () => 'cancelled')
        .then((outcome) => outcomes.push(`${index} ${outcome}`)),
    );
    await peer.hears(6);
    peer.say({ jsonrpc: '2.0', id: 3, result: 'answer' });
    await settle();
    signals[0]?.abort();
    await settle();
    expect(outcomes).toEqual(['2 answer', '0 cancelled', '5 cancelled']);
    signals[1]?.abort();
    peer.say({ jsonrpc: '2.0', id: 4, result: 'answer' });
    await Promise.all(answers);
    expect(outcomes.toSorted()).toEqual([
      '0 cancelled',
      '1 cancelled',
      '2 answer',
      '3 answer',
      '4 cancelled',
      '5 cancelled',
    ]);
    for (const { signal } of signals) expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('requests under one signal share one listener, and each is cancelled', async () => {
    const peer = rawPeer();
    const abort = new AbortController();
    const connection = connect(peer.transport);
    const answers = Array.from({ length: 50 }, () =>
      connection.request('slow', {}, { signal: abort.signal }).catch((error: unknown) => error),
    );
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    abort.abort();
    for (const error of await Promise.all(answers)) expect(error).toMatchObject({ code: -32800 });
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0);
  });

  test('a signal aborted before sends nothing', async () => {
    const peer = rawPeer();
    const connection = connect(peer.transport);
    await expect(connection.request('slow', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: -32800,
    });
    await settle();
    expect(peer.heard).toEqual([]);
  });

  test('an incoming $/cancel_request aborts the handler, and the request is answered -32800', async () => {
    const peer = rawPeer();
    connect(peer.transport, {
      onRequest: (_method, _params, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
    });
    peer.say(
      { jsonrpc: '2.0', id: 'x', method: 'slow' },
      { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'x' } },
    );
    expect(await peer.hears(1)).toMatchObject([{ id: 'x', error: { code: -32800 } }]);
  });

  test('the result of a handler that finishes after a cancel is sent', async () => {
    const peer = rawPeer();
    connect(peer.transport, {
      onRequest: (_method, _params, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('partial'))),
    });
    peer.say(
      { jsonrpc: '2.0', id: 1, method: 'slow' },
      { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 1 } },
    );
    expect(await peer.hears(1)).toMatchObject([{ id: 1, result: 'partial' }]);
  });

  test('a cancel for something unknown is ignored', async () => {
    const peer = rawPeer();
    connect(peer.transport, { onRequest: () => 'fine' });
    peer.say(
      { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 5 } },
      { jsonrpc: '2.0', id: 1, method: 'a' },
    );
    expect(await peer.hears(1)).toMatchObject([{ id: 1, result: 'fine' }]);
  });
});

describe('strictness and tolerance', () => {
  const invalid: readonly [string, unknown][] = [
    ['a number', 5],
    ['a string', 'hello'],
    ['null', null],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'a' }]],
    ['an empty batch', []],
    ['no jsonrpc', { id: 1, method: 'a' }],
    ['jsonrpc 1.0', { jsonrpc: '1.0', id: 1, method: 'a' }],
    ['a fraction as id', { jsonrpc: '2.0', id: 1.5, method: 'a' }],
    ['an id beyond 2^53', { jsonrpc: '2.0', id: 2 ** 53, method: 'a' }],
    ['an object as id', { jsonrpc: '2.0', id: { a: 1 }, method: 'a' }],
    ['a method that is no string', { jsonrpc: '2.0', id: 1, method: 5 }],
    ['params that are a string', { jsonrpc: '2.0', id: 1, method: 'a', params: 'x' }],
    ['a call and an answer at once', { jsonrpc: '2.0', id: 1, method: 'a', result: {} }],
    ['neither method nor id', { jsonrpc: '2.0' }],
    ['params and no method', { jsonrpc: '2.0', id: 7, params: {} }],
  ];

  test.each(invalid)(
    '%s is answered once, -32600 with id null, and the connection lives',
    async (_name, value) => {
      const peer = rawPeer();
      connect(peer.transport, { onRequest: () => 'alive' });
      peer.say(value, { jsonrpc: '2.0', id: 'next', method: 'a' });
      const heard = await peer.hears(2);
      expect(heard).toMatchObject([
        { id: null, error: { code: -32600 } },
        { id: 'next', result: 'alive' },
      ]);
      expect(JSON.stringify(heard[0])).not.toContain('hello');
    },
  );

  test('with echoInvalidIds, an invalid request is answered under its id', async () => {
    const peer = rawPeer();
    connect(peer.transport, { echoInvalidIds: true });
    peer.say({ id: 7, method: 'a' }, { id: 8, result: {} }, { jsonrpc: '2.0', id: 1.5, method: 'a' }, 5);
    const heard = await peer.hears(4);
    expect(heard.map((message) => message['id'])).toEqual([7, null, null, null]);
    for (const message of heard) expect(message).toMatchObject({ error: { code: -32600 } });
  });

  test('a client need not answer noise, but always answers what asks', async () => {
    const peer = rawPeer();
    const diagnostics: Diagnostic[] = [];
    connect(peer.transport, { answerFaults: false, onDiagnostic: (entry) => diagnostics.push(entry) });
    peer.say(5, { jsonrpc: '2.0', id: 1.5, method: 'a' });
    expect(await peer.hears(1)).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(diagnostics).toHaveLength(2);
  });

  test.each([['text'], [0], [-5], [2 ** 53 - 1], [null], ['0']])(
    'the id %j comes back exactly',
    async (id) => {
      const peer = rawPeer();
      connect(peer.transport, { onRequest: () => 'fine' });
      peer.say({ jsonrpc: '2.0', id, method: 'a' });
      const [answer] = await peer.hears(1);
      expect(answer).toStrictEqual({ jsonrpc: '2.0', id, result: 'fine' });
    },
  );

  test('a duplicate id in flight is refused under that id, and the first request is answered', async () => {
    const peer = rawPeer();
    const first = gate();
    const calls: string[] = [];
    connect(peer.transport, {
      onRequest: async (method) => {
        calls.push(method);
        await first.opened;
        return method;
      },
    });
    peer.say({ jsonrpc: '2.0', id: 1, method: 'first' }, { jsonrpc: '2.0', id: 1, method: 'second' });
    await peer.hears(1);
    first.open();
    expect(await peer.hears(2)).toMatchObject([
      { id: 1, error: { code: -32600 } },
      { id: 1, result: 'first' },
    ]);
    expect(calls).toEqual(['first']);
  });

  test('an id may be used again once it was answered', async () => {
    const peer = rawPeer();
    connect(peer.transport, { onRequest: (method) => method });
    peer.say({ jsonrpc: '2.0', id: 1, method: 'first' });
    await peer.hears(1);
    peer.say({ jsonrpc: '2.0', id: 1, method: 'second' });
    expect(await peer.hears(2)).toMatchObject([{ result: 'first' }, { result: 'second' }]);
  });

  test('an answer to an unknown id settles nothing', async () => {
    const peer = rawPeer();
    const diagnostics: Diagnostic[] = [];
    const connection = connect(peer.transport, { onDiagnostic: (entry) => diagnostics.push(entry) });
    const answer = connection.request('a');
    await peer.hears(1);
    peer.say(
      { jsonrpc: '2.0', id: '1', result: 'wrong' },
      { jsonrpc: '2.0', id: 1, result: 'right' },
      { jsonrpc: '2.0', id: 1, result: 'again' },
    );
    await expect(answer).resolves.toBe('right');
    await settle();
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-answer', 'unknown-answer']);
  });

  test.each([
    ['both result and error', { result: {}, error: { code: 1, message: 'no' } }],
    ['neither', {}],
    ['an error that is a string', { error: 'no' }],
    ['an error without a code', { error: { message: 'no' } }],
  ])('an answer with %s fails its request', async (_name, members) => {
    const peer = rawPeer();
    const connection = connect(peer.transport);
    const answer = connection.request('a');
    await peer.hears(1);
    peer.say({ jsonrpc: '2.0', id: 1, ...members });
    await expect(answer).rejects.toMatchObject({ name: 'WireError', code: 'invalid-message' });
  });

  test('a parse error with id null settles the request that was written last', async () => {
    const peer = rawPeer();
    const connection = connect(peer.transport);
    const answer = connection.request('a');
    await peer.hears(1);
    peer.say({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
    await expect(answer).rejects.toMatchObject({ code: 'invalid-message', method: 'a' });
  });

  test.each([
    [rpcCodes.methodNotFound, 'Method not found'],
    [rpcCodes.invalidParams, 'Invalid params'],
    [rpcCodes.invalidRequest, 'Invalid request'],
  ])('an error %d with id null, an answer to a notification, decides no request', async (code, message) => {
    const peer = rawPeer();
    const connection = connect(peer.transport);
    await connection.notify('b');
    const answer = connection.request('a');
    await peer.hears(2);
    peer.say(
      { jsonrpc: '2.0', id: null, error: { code, message } },
      { jsonrpc: '2.0', id: 1, result: 'fine' },
    );
    await expect(answer).resolves.toBe('fine');
  });

  test.each([
    ['a notification', (connection: Connection) => connection.notify('b')],
    [
      'an answer',
      (_connection: Connection, peer: RawPeer) => {
        peer.say({ jsonrpc: '2.0', id: 'theirs', method: 'c' });
        return Promise.resolve();
      },
    ],
  ])('a parse error with id null settles nothing when %s was written since', async (_name, write) => {
    const peer = rawPeer();
    const connection = connect(peer.transport);
    const answer = connection.request('a');
    await write(connection, peer);
    await peer.hears(2);
    peer.say(
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
      { jsonrpc: '2.0', id: 1, result: 'fine' },
    );
    await expect(answer).resolves.toBe('fine');
  });

  test("the peer's error arrives with code, message and data", async () => {
    const [left, right] = memoryPair();
    connect(right, {
      onRequest: () => {
        throw new RpcError(-32002, 'Resource not found', { sessionId: 's' });
      },
    });
    const answer = connect(left).request('session/prompt');
    await expect(answer).rejects.toMatchObject({
      name: 'RpcError',
      code: -32002,
      message: 'Resource not found',
      data: { sessionId: 's' },
    });
  });

  test('a handler that throws is answered -32603, without its message', async () => {
    const peer = rawPeer();
    const diagnostics: Diagnostic[] = [];
    connect(peer.transport, {
      onDiagnostic: (entry) => diagnostics.push(entry),
      onRequest: () => {
        throw new Error('password is hunter2');
      },
    });
    peer.say({ jsonrpc: '2.0', id: 1, method: 'a' });
    const heard = await peer.hears(1);
    expect(heard).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } }]);
    expect(diagnostics).toMatchObject([{ code: 'handler-failed', method: 'a' }]);
  });

  test('a notification handler that throws does not stop the lane', async () => {
    const peer = rawPeer();
    const log: string[] = [];
    const diagnostics: Diagnostic[] = [];
    connect(peer.transport, {
      onDiagnostic: (entry) => diagnostics.push(entry),
      onNotification: async (method) => {
        log.push(method);
        await Promise.resolve();
        throw new Error('broken');
      },
    });
    peer.say({ jsonrpc: '2.0', method: 'a' }, { jsonrpc: '2.0', method: 'b' });
    await settle();
    expect(log).toEqual(['a', 'b']);
    expect(diagnostics).toHaveLength(2);
  });

  test('a result that is no JSON is answered -32603', async () => {
    const peer = rawPeer();
    connect(peer.transport, { onRequest: () => ({ big: 1n }) });
    peer.say({ jsonrpc: '2.0', id: 1, method: 'a' });
    expect(await peer.hears(1)).toMatchObject([{ id: 1, error: { code: -32603 } }]);
  });

  test('a value that JSON cannot represent is not sent', async () => {
    const connection = connect(rawPeer().transport);
    await expect(connection.notify('a', { big: 1n })).rejects.toMatchObject({ code: 'not-serializable' });
    await expect(connection.request('a', { big: 1n })).rejects.toMatchObject({ code: 'not-serializable' });
  });

  test('without a handler every method is answered -32601', async () => {
    const peer = rawPeer();
    connect(peer.transport);
    peer.say({ jsonrpc: '2.0', id: 1, method: 'a' });
    expect(await peer.hears(1)).toMatchObject([{ id: 1, error: { code: -32601 } }]);
  });
});

test('an observer sees every frame, both ways, with its time', async () => {
  const peer = rawPeer();
  const frames: ObservedFrame[] = [];
  const connection = connect(peer.transport, {
    observe: (frame) => frames.push(frame),
    onRequest: () => 'fine',
  });
  peer.say({ jsonrpc: '2.0', id: 1, method: 'a' }, 5);
  await connection.notify('b');
  await peer.hears(3);
  expect(frames.map(({ direction, message }) => [direction, message])).toEqual([
    ['out', { jsonrpc: '2.0', method: 'b' }],
    ['in', { jsonrpc: '2.0', id: 1, method: 'a' }],
    ['out', { jsonrpc: '2.0', id: 1, result: 'fine' }],
    ['in', 5],
    ['out', expect.objectContaining({ id: null })],
  ]);
  expect(Math.abs((frames[0]?.time ?? 0) - Date.now())).toBeLessThan(60_000);
});

/** A transport whose peer never reads. */
/** Counts the messages of each write. */
function countingTransport(): { readonly transport: Transport; readonly batches: readonly number[] } {
  const batches: number[] = [];
  const transport: Transport = {
    start() {},
    send: (batch) => void batches.push(batch.length),
    close: () => Promise.resolve(),
  };
  return { transport, batches };
}

function stuckTransport(): Transport {
  return { start() {}, send: () => new Promise(() => {}), close: () => Promise.resolve() };
}

/** A transport that a test drives by hand; its first write is never taken. */
function heldTransport(): { readonly transport: Transport; receiver(): Receiver; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  let held: Receiver | undefined;
  const transport: Transport = {
    start(receiver) {
      held = receiver;
    },
    send(batch) {
      sent.push(...batch.map(({ message }) => message));
      return sent.length > 5 ? new Promise(() => {}) : undefined;
    },
    close: () => Promise.resolve(),
  };
  return {
    transport,
    sent,
    receiver() {
      if (held === undefined) throw new Error('not started');
      return held;
    },
  };
}
