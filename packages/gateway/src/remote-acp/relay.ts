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
  /** The agent cannot be reached: what the client is told. */
  readonly toError: (error: unknown) => RpcErrorObject;
}

/** Sees all that is passed on, in order. */
export interface Guard {
  /** Why something that the client says is not passed on, if it is not. */
  refuse(message: Message): Promise<RpcErrorObject | undefined>;
  /** Whether an answer of the client is one to something that was passed on to it. */
  expects(answer: Message): boolean;
  /** What the agent is answered to something that is not passed on, if it is not. */
  answer(message: Message): Message | undefined | Promise<Message | undefined>;
  /** What the client is to see of something that the agent says. */
  look(message: Message): Message | Promise<Message>;
  /** What it looked at was passed on. */
  passed(): void;
  /** Nothing more is said. */
  end(): void;
}

/**
 * Joins a client and an agent: what one says reaches the other as the guard lets it. When one side ends, so does the
 * other. Settles when both have. A notification that is refused is answered too, with no id: JSON-RPC has no other way to
 * say so.
 */
export async function relay(client: Transport, options: RelayOptions): Promise<void> {
  const { open, guard, toError } = options;
  const gone = new AbortController();
  const opened = open(gone.signal);
  const reason = await new Promise<CloseReason>((end) => {
    const fail = (error: unknown): void => {
      end({ code: 'failed', message: 'what one side said could not be passed on', error });
    };
    const receive = async (batch: readonly unknown[]): Promise<void> => {
      const agent = await opened;
      const frames: OutgoingFrame[] = [];
      for (const value of batch) {
        const refusal = await refusalOf(value, guard);
        if (refusal !== undefined) await passOn(client, [refusal], fail);
        else if (isMessage(value) && ('method' in value || guard.expects(value))) frames.push(toFrame(value));
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
              const given = guard.answer(message);
              const answer = given instanceof Promise ? await given : given;
              if (answer !== undefined) {
                await passOn(agent, [answer], fail);
                continue;
              }
              const seen = guard.look(message);
              messages.push(seen instanceof Promise ? await seen : seen);
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

/** The answer to what is not passed on. */
async function refusalOf(value: unknown, guard: Guard): Promise<Message | undefined> {
  if (value instanceof FrameFault) {
    // Nobody can tell where an end in the middle would have been an answer.
    if (value.code === 'truncated') return undefined;
    return toAnswer(null, { code: rpcCodes.parseError, message: 'the message could not be read' });
  }
  if (!isMessage(value)) {
    return toAnswer(idOf(value), { code: rpcCodes.invalidRequest, message: 'not a message of JSON-RPC 2.0' });
  }
  const error = await guard.refuse(value);
  return error === undefined ? undefined : toAnswer(idOf(value), error);
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
