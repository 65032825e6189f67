import type { CloseReason, OutgoingFrame, Receiver, Transport } from '@parley/wire';

/** Two ends of a transport under test. */
export interface TransportEnds {
  readonly left: Transport;
  readonly right: Transport;
  /** Breaks the connection between the ends without notifying them. Required by some requirements. */
  cut?(): void;
  /** Closes resources that closing both ends does not (a server, a process). */
  dispose?(): Promise<void>;
}

/** A requirement for transports. */
export interface TransportRequirement {
  readonly id: string;
  readonly title: string;
  /** Applies only to transports whose connection can break between the ends. */
  readonly needsCut?: true;
  /** Rejects with an Error that says what happened instead. */
  check(ends: TransportEnds): Promise<void>;
}

/** Requirements for every transport. Each check needs new ends. */
export const transportContract: readonly TransportRequirement[] = [
  {
    id: 'WIRE-TRANSPORT-001',
    title: 'messages arrive whole and in order',
    async check({ left, right }) {
      const heard = listen(right);
      listen(left);
      const texts = ['a', 'grüße 😀', '\n\r\u2028', 'x'.repeat(300_000), ''];
      for (const text of texts) await left.send([frame({ text })]);
      await heard.count(texts.length);
      equal(heard.texts(), texts);
    },
  },
  {
    id: 'WIRE-TRANSPORT-002',
    title: 'a batch keeps its order, and both directions work at once',
    async check({ left, right }) {
      const [atLeft, atRight] = [listen(left), listen(right)];
      const texts = Array.from({ length: 1000 }, (_, index) => String(index));
      await Promise.all([
        left.send(texts.map((text) => frame({ text }))),
        right.send(texts.map((text) => frame({ text }))),
      ]);
      await Promise.all([atLeft.count(texts.length), atRight.count(texts.length)]);
      equal(atLeft.texts(), texts);
      equal(atRight.texts(), texts);
    },
  },
  {
    id: 'WIRE-TRANSPORT-003',
    title: 'what was sent before a close arrives, then the other end is notified, once',
    async check({ left, right }) {
      const heard = listen(right);
      listen(left);
      await left.send([frame({ text: 'last' })]);
      await left.close({ code: 'local', message: 'done' });
      const reason = await heard.closed;
      equal(heard.texts(), ['last']);
      equal(reason.code === 'end-of-input' || reason.code === 'exited', true);
      await right.close({ code: 'local', message: 'done' });
      equal(heard.closes(), 1);
    },
  },
  {
    id: 'WIRE-TRANSPORT-004',
    title: 'a receiver that is behind makes the sender wait, and nothing is lost',
    async check({ left, right }) {
      let proceed = (): void => {};
      const opened = new Promise<void>((resolve) => {
        proceed = resolve;
      });
      const heard = listen(right, () => opened);
      listen(left);
      const text = 'x'.repeat(64 * 1024);
      let sent = 0;
      let isWaiting = false;
      const sending = (async () => {
        for (; sent < 400; sent++) {
          const room = left.send([frame({ text })]);
          isWaiting = room !== undefined;
          await room;
        }
      })();
      await until(() => isWaiting && sent > 0);
      const early = heard.texts().length;
      equal(early < 400, true);
      proceed();
      await sending;
      await heard.count(400);
    },
  },
  {
    id: 'WIRE-TRANSPORT-005',
    title: 'closing twice is closing once, and sending after it fails',
    async check({ left, right }) {
      listen(left);
      listen(right);
      const reason: CloseReason = { code: 'local', message: 'done' };
      await Promise.all([left.close(reason), left.close(reason)]);
      let failure: unknown;
      try {
        await left.send([frame({ text: 'late' })]);
      } catch (error) {
        failure = error;
      }
      equal(failure instanceof Error, true);
    },
  },
  {
    id: 'WIRE-TRANSPORT-006',
    title: 'messages of 5 MB arrive in both directions, and small ones after them',
    async check({ left, right }) {
      const [atLeft, atRight] = [listen(left), listen(right)];
      const texts = ['ü'.repeat(2_500_000), 'x'.repeat(5_000_000), 'small'];
      await Promise.all([
        left.send(texts.map((text) => frame({ text }))),
        right.send(texts.map((text) => frame({ text }))),
      ]);
      await Promise.all([atLeft.count(texts.length), atRight.count(texts.length)]);
      equal(atLeft.texts(), texts);
      equal(atRight.texts(), texts);
    },
  },
  {
    id: 'WIRE-TRANSPORT-007',
    title: 'when the link between them breaks, both ends are notified, once, and sending fails',
    needsCut: true,
    async check({ left, right, cut }) {
      const [atLeft, atRight] = [listen(left), listen(right)];
      await left.send([frame({ text: 'before' })]);
      await atRight.count(1);
      cut?.();
      await Promise.all([atLeft.closed, atRight.closed]);
      for (const end of [left, right]) {
        let failure: unknown;
        try {
          await end.send([frame({ text: 'late' })]);
        } catch (error) {
          failure = error;
        }
        equal(failure instanceof Error, true);
      }
      equal([atLeft.closes(), atRight.closes()], [1, 1]);
    },
  },
];

interface Listener {
  readonly closed: Promise<CloseReason>;
  texts(): string[];
  closes(): number;
  count(length: number): Promise<void>;
}

function listen(transport: Transport, onBatch?: () => Promise<void>): Listener {
  const texts: string[] = [];
  let closes = 0;
  let onClose = (_reason: CloseReason): void => {};
  const closed = new Promise<CloseReason>((resolve) => {
    onClose = resolve;
  });
  const receiver: Receiver = {
    receive(batch) {
      texts.push(...batch.map(toText));
      return onBatch?.();
    },
    close(reason) {
      closes++;
      onClose(reason);
    },
  };
  transport.start(receiver);
  return {
    closed,
    texts: () => texts,
    closes: () => closes,
    count: (length) => until(() => texts.length >= length),
  };
}

function frame(params: { readonly text: string }): OutgoingFrame {
  const message = { jsonrpc: '2.0', method: 'contract/text', params } as const;
  return { text: JSON.stringify(message), message };
}

function toText(value: unknown): string {
  const isMessage = typeof value === 'object' && value !== null && 'params' in value;
  const params = isMessage ? value.params : undefined;
  if (typeof params === 'object' && params !== null && 'text' in params && typeof params.text === 'string') {
    return params.text;
  }
  throw new Error(`not what was sent: ${JSON.stringify(value)}`);
}

/** Waits for something to become true; a transport that never gets there fails. */
async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!isTrue()) {
    if (performance.now() > end) {
      throw new Error(`still not true after ${patienceMs} ms: ${isTrue.toString()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Time limit for each step of a check. */
const patienceMs = 15_000;

function equal(actual: unknown, expected: unknown): void {
  const [got, want] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== want) throw new Error(`expected ${want.slice(0, 200)}, got ${got.slice(0, 200)}`);
}
