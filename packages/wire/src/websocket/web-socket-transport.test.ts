import { manualClock } from '@parley/conformance';
import { expect, test } from 'vitest';
import { FrameFault } from '../framing/frame-fault.ts';
import type { CloseReason, Receiver } from '../transport.ts';
import type { WebSocketEvent, WebSocketLike } from './web-socket-like.ts';
import { webSocketTransport } from './web-socket-transport.ts';

type Listener = (event: WebSocketEvent) => void;

/** A socket whose other end is the test. */
class FakeSocket implements WebSocketLike {
  readyState = 1;
  bufferedAmount = 0;
  binaryType?: string;
  readonly sent: string[] = [];
  readonly closes: (number | undefined)[] = [];
  readonly reasons: (string | undefined)[] = [];
  readonly #listeners: [type: string, listener: Listener][] = [];

  send(text: string): void {
    this.sent.push(text);
  }

  close(code?: number, reason?: string): void {
    this.closes.push(code);
    this.reasons.push(reason);
    this.readyState = 3;
    this.emit({ type: 'close', code: 1005 });
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push([type, listener]);
  }

  emit(event: WebSocketEvent): void {
    for (const [type, listener] of this.#listeners) if (type === event.type) listener(event);
  }

  say(data: unknown): void {
    this.emit({ type: 'message', data });
  }
}

/** A socket that can be asked for a sign of life. */
class PingableSocket extends FakeSocket {
  pings = 0;
  isTerminated = false;
  onPong = (): void => {};

  ping(): void {
    this.pings++;
  }

  on(_type: 'pong', listener: () => void): void {
    this.onPong = listener;
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

function listen(
  wait?: Promise<void>,
): Receiver & { readonly heard: unknown[]; readonly closes: CloseReason[] } {
  const heard: unknown[] = [];
  const closes: CloseReason[] = [];
  return {
    heard,
    closes,
    receive(batch) {
      heard.push(...batch);
      return wait;
    },
    close: (reason) => void closes.push(reason),
  };
}

const frame = { text: '{"a":1}', message: { jsonrpc: '2.0', method: 'a' } } as const;

test('messages that came before the first listener are delivered, and never from inside start', async () => {
  const socket = new FakeSocket();
  const transport = webSocketTransport(socket);
  socket.say('{"early":1}');
  const receiver = listen();
  transport.start(receiver);
  expect(receiver.heard).toEqual([]);
  await Promise.resolve();
  expect(receiver.heard).toEqual([{ early: 1 }]);
});

test('a binary frame is read as UTF-8, however its bytes are handed over', async () => {
  const socket = new FakeSocket();
  const receiver = listen();
  webSocketTransport(socket, { maxMessageBytes: 16 }).start(receiver);
  await Promise.resolve();
  const bytes = new TextEncoder().encode('{"ä":1}');
  socket.say(bytes.buffer);
  socket.say(Buffer.from(bytes));
  socket.say(new TextEncoder().encode('no json'));
  socket.say(new Uint8Array([0x22, 0xff, 0x22]));
  socket.say(new TextEncoder().encode('"0123456789abcdef"'));
  expect(socket.binaryType).toBe('arraybuffer');
  expect(receiver.heard).toEqual([
    { ä: 1 },
    { ä: 1 },
    new FrameFault('malformed', 7, 'no json'),
    new FrameFault('encoding', 3, ''),
    new FrameFault('too-large', 18, '"0123456789abcdef"'),
  ]);
});

test('a frame that is no JSON and one that is too long are faults at their places', async () => {
  const socket = new FakeSocket();
  const receiver = listen();
  webSocketTransport(socket, { maxMessageBytes: 12 }).start(receiver);
  await Promise.resolve();
  socket.say('no json');
  socket.say('"ääääää"');
  socket.say('"0123456789"');
  expect(receiver.heard).toEqual([
    new FrameFault('malformed', 7, 'no json'),
    new FrameFault('too-large', 14, '"ääääää"'),
    '0123456789',
  ]);
});

test('a socket that is not open yet is waited for', async () => {
  const socket = new FakeSocket();
  socket.readyState = 0;
  const transport = webSocketTransport(socket);
  transport.start(listen());
  const sent = transport.send([frame]);
  expect(socket.sent).toEqual([]);
  socket.readyState = 1;
  socket.emit({ type: 'open' });
  await sent;
  expect(socket.sent).toEqual([frame.text]);
});

test('a socket that never opens fails what is sent, and says why', async () => {
  const socket = new FakeSocket();
  socket.readyState = 0;
  const transport = webSocketTransport(socket);
  const receiver = listen();
  transport.start(receiver);
  const sent = transport.send([frame]);
  socket.readyState = 3;
  socket.emit({ type: 'error', message: 'connect ECONNREFUSED' });
  socket.emit({ type: 'close', code: 1006 });
  await expect(sent).rejects.toThrow('lost the socket: connect ECONNREFUSED');
  expect(receiver.closes).toMatchObject([{ code: 'failed' }]);
});

test('a sender waits while the socket holds much, though the socket never reports room', async () => {
  const clock = manualClock();
  const socket = new FakeSocket();
  const transport = webSocketTransport(socket, { clock });
  transport.start(listen());
  socket.bufferedAmount = 1_000_000;
  let isSent = false;
  const sent = Promise.resolve(transport.send([frame])).then(() => {
    isSent = true;
  });
  clock.advance(1000);
  await Promise.resolve();
  expect(isSent).toBe(false);
  socket.bufferedAmount = 0;
  clock.advance(50);
  await sent;
  expect(clock.timers).toBe(0);
});

test('where the socket cannot be paused, a slow receiver is waited for up to a bound', async () => {
  const socket = new FakeSocket();
  const receiver = listen(new Promise(() => {}));
  webSocketTransport(socket, { maxWaiting: 100 }).start(receiver);
  await Promise.resolve();
  socket.say('1');
  for (let index = 0; index < 20; index++) socket.say(JSON.stringify('x'.repeat(10)));
  expect(receiver.heard).toEqual([1]);
  expect(socket.closes).toEqual([1013]);
});

test('what arrived before the end is handed over first, when the receiver has caught up', async () => {
  const socket = new FakeSocket();
  let proceed = (): void => {};
  const receiver = listen(
    new Promise((resolve) => {
      proceed = resolve;
    }),
  );
  webSocketTransport(socket).start(receiver);
  await Promise.resolve();
  socket.say('1');
  socket.say('2');
  socket.emit({ type: 'close', code: 1000, reason: 'bye' });
  expect(receiver.heard).toEqual([1]);
  expect(receiver.closes).toEqual([]);
  proceed();
  await expect
    .poll(() => receiver.closes)
    .toEqual([{ code: 'end-of-input', message: 'the peer closed the socket: bye' }]);
  expect(receiver.heard).toEqual([1, 2]);
});

test.each([
  [1000, 'end-of-input'],
  [1001, 'end-of-input'],
  [1005, 'end-of-input'],
  [1006, 'failed'],
  [1009, 'failed'],
  [1013, 'failed'],
])('the close code %d means %s', async (code, expected) => {
  const socket = new FakeSocket();
  const receiver = listen();
  webSocketTransport(socket).start(receiver);
  await Promise.resolve();
  socket.emit({ type: 'close', code, reason: '' });
  expect(receiver.closes).toMatchObject([{ code: expected }]);
});

test.each([
  ['local', 1000],
  ['stalled', 1013],
  ['failed', 1011],
] as const)('an end for the reason %s is sent as %d', async (code, expected) => {
  const socket = new FakeSocket();
  const transport = webSocketTransport(socket);
  transport.start(listen());
  await transport.close({ code, message: '' });
  expect(socket.closes).toEqual([expected]);
});

test('a peer that reads too slowly is sent the reason, and has five seconds to read it', async () => {
  const clock = manualClock();
  const socket = new PingableSocket();
  socket.close = (code, reason) => {
    socket.closes.push(code);
    socket.reasons.push(reason);
  };
  const transport = webSocketTransport(socket, { clock });
  transport.start(listen());

  const closed = transport.close({ code: 'stalled', message: 'too much is unread' });
  clock.advance(4999);
  const isTerminatedEarly = socket.isTerminated;
  clock.advance(1);
  await closed;

  expect(socket.closes).toEqual([1013]);
  expect(socket.reasons).toEqual(['too much is unread']);
  expect(isTerminatedEarly).toBe(false);
  expect(socket.isTerminated).toBe(true);
});

test.each([
  ['ASCII', 'a'.repeat(200), 'a'.repeat(123)],
  ['characters of two bytes', 'é'.repeat(200), 'é'.repeat(61)],
  ['characters of four bytes', '🙂'.repeat(200), '🙂'.repeat(30)],
  ['a reason that just fits', 'é'.repeat(61) + 'a', 'é'.repeat(61) + 'a'],
])(
  'a reason that is too long for a close frame is cut between characters: %s',
  async (_name, message, expected) => {
    const socket = new FakeSocket();
    const transport = webSocketTransport(socket);
    transport.start(listen());

    await transport.close({ code: 'stalled', message });

    expect(socket.closes).toEqual([1013]);
    expect(socket.reasons).toEqual([expected]);
  },
);

test('a peer that misses two pings is disconnected', async () => {
  const clock = manualClock();
  const socket = new PingableSocket();
  const receiver = listen();
  webSocketTransport(socket, { clock, pingMs: 100 }).start(receiver);
  await Promise.resolve();
  clock.advance(100);
  socket.onPong();
  clock.advance(200);
  expect(receiver.closes).toEqual([]);
  expect(socket.pings).toBe(3);
  clock.advance(100);
  expect(receiver.closes).toEqual([{ code: 'failed', message: 'the peer gave no sign of life for 200 ms' }]);
  expect(socket.isTerminated).toBe(true);
  expect(clock.timers).toBe(0);
});

test('a peer that is not listened to may be silent', async () => {
  const clock = manualClock();
  const socket = new PingableSocket();
  const receiver = listen(new Promise(() => {}));
  webSocketTransport(socket, { clock, pingMs: 100 }).start(receiver);
  await Promise.resolve();
  socket.say('1');
  clock.advance(1000);
  expect(receiver.closes).toEqual([]);
});
