import {
  FrameFault,
  isMessage,
  isRequestId,
  rpcCodes,
  type CloseReason,
  type Message,
  type OutgoingFrame,
  type RequestId,
  type RequestMessage,
  type RpcErrorObject,
  type Transport,
} from '@parley/wire';

/** What a relay goes by. */
export interface RelayOptions {
  /** Reaches the agent. What the client says meanwhile waits; the signal says that it has gone. */
  readonly open: (signal: AbortSignal) => Promise<Transport>;
  readonly guard: Guard;
  /** Ends both sides. @default they end when one of them does */
  readonly until?: AbortSignal;
  /** The agent cannot be reached: what the client is told. */
  readonly toError: (error: unknown) => RpcErrorObject;
}

/** Where something that the agent says leads: what the client sees of it, and what the agent is sent because of it. */
export interface Passage {
  readonly toClient?: Message;
  readonly toAgent?: Message;
}

/** Sees all that is passed on, in order. */
export interface Guard {
  /** Why something that the client says is not passed on, if it is not. A notification is dropped then. */
  refuse(message: Message): Promise<RpcErrorObject | undefined>;
  /** Whether an answer of the client is one to something that was passed on to it. */
  expects(answer: Message): boolean;
  /** What becomes of something that the agent says. */
  hear(message: Message): Passage | Promise<Passage>;
  /** What was heard was passed on. */
  passed(): void;
  /** Nothing more is said. */
  end(): void;
}

/**
 * Joins a client and an agent: what one says reaches the other as the guard lets it. When one side ends, so does the
 * other. Settles when both have.
 */
export async function relay(client: Transport, options: RelayOptions): Promise<void> {
  const { open, guard, until, toError } = options;
  const gone = new AbortController();
  const opened = open(gone.signal);
  const reason = await new Promise<CloseReason>((end) => {
    const fail = (error: unknown): void => {
      end({ code: 'failed', message: 'what one side said could not be passed on', error });
    };
    until?.addEventListener('abort', () => {
      end({ code: 'end-of-input', message: 'the client may not be connected any more' });
    });
    const receive = async (batch: readonly unknown[]): Promise<void> => {
      const agent = await opened;
      const frames: OutgoingFrame[] = [];
      for (const value of batch) {
        if (!isMessage(value)) {
          await passOn(client, faultsOf(value), fail);
          continue;
        }
        const error = await guard.refuse(value);
        if (error === undefined) {
          if ('method' in value || guard.expects(value)) frames.push(toFrame(value));
        } else if ('id' in value) {
          // JSON-RPC 2.0: a notification is never answered.
          await passOn(client, [toAnswer(value.id, error)], fail);
        }
      }
      if (frames.length > 0) await agent.send(frames);
    };
    client.start({
      receive: (batch) =>
        receive(batch).catch(async (error: unknown) => {
          const answers = batch.flatMap((value) =>
            isRequest(value) ? [toAnswer(value.id, toError(error))] : [],
          );
          await passOn(client, answers, fail);
          fail(error);
        }),
      close: end,
    });
    opened.then(
      (agent) => {
        agent.start({
          // What an agent writes that is no message concerns nobody at the other end.
          receive: async (batch) => {
            const messages: Message[] = [];
            for (const message of batch.filter(isMessage)) {
              const heard = guard.hear(message);
              const { toClient, toAgent } = heard instanceof Promise ? await heard : heard;
              if (toClient !== undefined) messages.push(toClient);
              if (toAgent !== undefined) await passOn(agent, [toAgent], fail);
            }
            await passOn(client, messages, fail);
            guard.passed();
          },
          close: end,
        });
      },
      () => {
        // The first request hears of it.
      },
    );
  });
  gone.abort();
  guard.end();
  await Promise.all([client.close(reason), opened.then((agent) => agent.close(reason)).catch(() => {})]);
}

/** The answer to what is no message, if it gets one. */
function faultsOf(value: unknown): readonly Message[] {
  if (value instanceof FrameFault) {
    // Nobody can tell where an end in the middle would have been an answer.
    if (value.code === 'truncated') return [];
    return [toAnswer(null, { code: rpcCodes.parseError, message: 'the message could not be read' })];
  }
  return [toAnswer(idOf(value), { code: rpcCodes.invalidRequest, message: 'not a message of JSON-RPC 2.0' })];
}

/** Hands messages over, and waits for a peer that is behind. */
async function passOn(
  to: Transport,
  messages: readonly Message[],
  fail: (error: unknown) => void,
): Promise<void> {
  if (messages.length === 0) return;
  try {
    await to.send(messages.map(toFrame));
  } catch (error) {
    fail(error);
  }
}

function isRequest(value: unknown): value is RequestMessage {
  return isMessage(value) && 'method' in value && 'id' in value;
}

function idOf(value: unknown): RequestId {
  return typeof value === 'object' && value !== null && 'id' in value && isRequestId(value.id)
    ? value.id
    : null;
}

function toAnswer(id: RequestId, error: RpcErrorObject): Message {
  return { jsonrpc: '2.0', id, error };
}

function toFrame(message: Message): OutgoingFrame {
  return { text: JSON.stringify(message), message };
}
