import { transportContract, type TransportEnds } from '@parley/conformance';
import type { Message, OutgoingFrame, Receiver, Transport } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import { createRemoteAcp, httpTransport, type Fetch, type RemoteAcp } from '../../src/http/index.ts';
import { fetchOf, listen } from './remote-stage.ts';

const makers: readonly [name: string, canCut: boolean, open: () => Promise<TransportEnds>][] = [
  [
    'streamable HTTP in memory',
    false,
    () => openHttp(async (remote) => ({ url: 'http://parley', fetch: fetchOf(remote) })),
  ],
  [
    'streamable HTTP over a socket',
    true,
    () =>
      openHttp(async (remote) => {
        const { url, close, cut } = await listen(remote);
        return { url, dispose: close, cut };
      }),
  ],
];

describe.each(makers)('%s', (_name, canCut, open) => {
  const requirements = transportContract.filter(({ needsCut }) => needsCut !== true || canCut);
  test.each(requirements.map((requirement) => [requirement.id, requirement.title, requirement] as const))(
    '%s: %s',
    async (_id, _title, requirement) => {
      const ends = await open();
      await expect(requirement.check(ends)).resolves.toBeUndefined();
      await Promise.all([ends.left, ends.right].map((end) => end.close({ code: 'local', message: 'done' })));
      await ends.dispose?.();
    },
  );
});

interface Reached {
  readonly url: string;
  readonly fetch?: Fetch;
  readonly dispose?: () => Promise<void>;
  readonly cut?: () => void;
}

/** Both ends of a connection, after the first message and its answer. */
async function openHttp(reach: (remote: RemoteAcp) => Promise<Reached>): Promise<TransportEnds> {
  const accepted: Transport[] = [];
  const remote = createRemoteAcp({
    accept: (transport) => {
      const right = afterGreeting(transport, () => right.send([answerToHello]));
      accepted.push(right);
    },
    // Longer than a busy machine needs to open a stream.
    limits: { idleMs: 1500 },
  });
  const { url, fetch, dispose, cut } = await reach(remote);
  let onGreeted = (): void => {};
  const greeted = new Promise<void>((resolve) => {
    onGreeted = resolve;
  });
  const left = afterGreeting(httpTransport(url, { ...(fetch !== undefined && { fetch }) }), onGreeted);
  await left.send([hello]);
  await greeted;
  const [right] = accepted;
  if (right === undefined) throw new Error('no connection was accepted');
  return { left, right, ...(dispose !== undefined && { dispose }), ...(cut !== undefined && { cut }) };
}

/** A transport on which the first message has been received; the suite sees what comes after it. */
function afterGreeting(inner: Transport, onGreeting: () => unknown): Transport {
  let isGreeted = false;
  let receiver: Receiver | undefined;
  inner.start({
    receive(batch, bytes) {
      const rest = isGreeted ? batch : batch.slice(1);
      if (!isGreeted) onGreeting();
      isGreeted = true;
      return rest.length === 0 ? undefined : receiver?.receive(rest, bytes);
    },
    close: (reason) => receiver?.close(reason),
  });
  return {
    start: (suite) => {
      receiver = suite;
    },
    send: (batch) => inner.send(batch),
    close: (reason) => inner.close(reason),
  };
}

function frameOf(message: Message): OutgoingFrame {
  return { text: JSON.stringify(message), message };
}

const hello = frameOf({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: {} });
const answerToHello = frameOf({ jsonrpc: '2.0', id: 'hello', result: { protocolVersion: 1 } });
