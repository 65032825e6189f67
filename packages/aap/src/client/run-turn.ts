import { untilAborted } from '@parley/wire';
import type { AgentOverride, StreamMode } from '../agent-info.ts';
import type { Content } from '../content-block.ts';
import type { ApplicationMessage, ToolMessage, ToolPermissionMessage, UserMessage } from '../message.ts';
import type { ReceivedAgentMessage, ReceivedTurnAnswer, ReceivedTurnEvent } from '../received.ts';
import type { ToolCallInput, ToolSpec } from '../tool.ts';
import type { AapClient, StreamedMode } from './aap-client.ts';
import { AapClientError } from './aap-error.ts';
import { findOpenCalls, type OpenCall } from './message-collector.ts';
import { toTurnEvents } from './to-turn-events.ts';

/** Runs one of the application's tools. A thrown error becomes the result. */
export type ToolHandler = (input: ToolCallInput, context: CallContext) => Content | Promise<Content>;

/** The context of a call. */
export interface CallContext {
  readonly call: OpenCall;
  readonly signal: AbortSignal;
}

/** Whether the agent may make a call. */
export type PermissionAnswer = boolean | Omit<ToolPermissionMessage, 'role' | 'toolCallId'>;

/** Options of `runTurn`. */
export interface RunTurnOptions {
  /** The application's tools by name. They run in parallel. */
  readonly tools?: Readonly<Record<string, ToolHandler>>;
  /** Decides each call that is not of the application's tools. @default every call is denied */
  readonly permission?: (
    call: OpenCall,
    context: CallContext,
  ) => PermissionAnswer | Promise<PermissionAnswer>;
  /**
   * Called for each event; the next one waits for the returned promise. In the mode `none`, it receives the events
   * that the messages represent, after the turn has stopped.
   */
  readonly onEvent?: (event: ReceivedTurnEvent) => unknown;
  /** @default 'delta' */
  readonly stream?: StreamMode;
  /** Changes to the session's settings, from this turn on. */
  readonly agent?: AgentOverride;
  /** The application's tools, from this turn on. @default unchanged */
  readonly declare?: readonly ToolSpec[];
  readonly signal?: AbortSignal;
  /** Maximum number of pauses for the application. @default 1000 */
  readonly maxRounds?: number;
}

/** The result of a turn, with its messages. */
export type TurnEnd = ReceivedTurnAnswer & {
  /** Includes the results of the application's tools. */
  readonly messages: readonly (ReceivedAgentMessage | ToolMessage)[];
};

/**
 * Runs a message of the user, or answers to open calls, to the end: each time the turn stops for the application, its
 * tools run, permissions are asked, and the next turn sends the answers.
 *
 * Aborting the signal cancels the turn on the server, if it has that extension, also while the turn waits for the
 * application.
 */
export async function runTurn(
  client: AapClient,
  sessionId: string,
  input: string | UserMessage | readonly ApplicationMessage[],
  options: RunTurnOptions = {},
): Promise<TurnEnd> {
  const { agent, declare, maxRounds = defaultMaxRounds } = options;
  const signal = options.signal ?? new AbortController().signal;
  const messages: (ReceivedAgentMessage | ToolMessage)[] = [];
  let request = {
    messages: toMessages(input),
    ...(agent !== undefined && { agent }),
    ...(declare !== undefined && { tools: declare }),
  };
  for (let round = 0; round < maxRounds; round++) {
    const answer = await takeTurn(client, sessionId, request, { ...options, signal });
    messages.push(...answer.messages);
    const calls = answer.stopReason === 'tool_use' ? findOpenCalls(answer.messages) : [];
    if (calls.length === 0) return { ...answer, messages };
    const answers = await answerCalls(calls, { ...options, signal }).catch(async (error: unknown) => {
      const { turnId } = answer;
      if (signal.aborted && turnId !== undefined) {
        await cancel((limit) => client.cancelTurn(sessionId, turnId, { signal: limit }));
      }
      throw error;
    });
    messages.push(...answers.filter((message) => message.role === 'tool'));
    request = { messages: answers };
  }
  throw new AapClientError('too-large', `the turn waited for the application more than ${maxRounds} times`);
}

/**
 * Answers calls that wait for the application: runs its tools and asks for permissions. For an abandoned session,
 * `findOpenCalls` finds the calls in its history.
 */
export async function answerCalls(
  calls: readonly OpenCall[],
  { tools = {}, permission, signal = new AbortController().signal }: RunTurnOptions,
): Promise<readonly (ToolMessage | ToolPermissionMessage)[]> {
  const answers = calls.map((call) => {
    const tool = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined;
    return tool === undefined ? askPermission(call, permission, signal) : callTool(call, tool, signal);
  });
  return untilAborted(Promise.all(answers), signal);
}

async function callTool(call: OpenCall, tool: ToolHandler, signal: AbortSignal): Promise<ToolMessage> {
  const { toolCallId, input } = call;
  try {
    return { role: 'tool', toolCallId, content: await tool(input, { call, signal }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { role: 'tool', toolCallId, content: `Error: ${reason}`, isError: true };
  }
}

async function askPermission(
  call: OpenCall,
  permission: RunTurnOptions['permission'],
  signal: AbortSignal,
): Promise<ToolPermissionMessage> {
  const answer = (await permission?.(call, { call, signal })) ?? {
    granted: false,
    reason: 'the application cannot ask a user',
  };
  const { toolCallId } = call;
  return typeof answer === 'boolean'
    ? { role: 'tool_permission', toolCallId, granted: answer }
    : { role: 'tool_permission', toolCallId, ...answer };
}

/** Pauses of a turn for the application, unless an option sets another limit. */
const defaultMaxRounds = 1000;

type Turn = Parameters<AapClient['postTurn']>[1];

function takeTurn(
  client: AapClient,
  sessionId: string,
  request: Turn,
  { stream = 'delta', onEvent, signal }: RunTurnOptions & { readonly signal: AbortSignal },
): Promise<ReceivedTurnAnswer> {
  const place: Place = { client, sessionId, signal, onEvent };
  return stream === 'none' ? takeWholeTurn(request, place) : takeStreamedTurn(request, stream, place);
}

/** Where a turn runs, and what receives its events. */
interface Place {
  readonly client: AapClient;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly onEvent: RunTurnOptions['onEvent'];
}

async function takeWholeTurn(
  request: Turn,
  { client, sessionId, signal, onEvent }: Place,
): Promise<ReceivedTurnAnswer> {
  try {
    const answer = await client.postTurn(sessionId, request, { signal });
    for (const event of answer.messages.flatMap(toTurnEvents)) await onEvent?.(event);
    return answer;
  } catch (error) {
    if (signal.aborted) {
      await cancel(async (limit) => {
        const turn = (await client.getTurns(sessionId, { signal: limit })).at(-1);
        if (turn !== undefined) await client.cancelTurn(sessionId, turn.turnId, { signal: limit });
      });
    }
    throw error;
  }
}

async function takeStreamedTurn(
  request: Turn,
  mode: StreamedMode,
  { client, sessionId, signal, onEvent }: Place,
): Promise<ReceivedTurnAnswer> {
  signal.throwIfAborted();
  // Not aborted with the caller's signal: a turn that has begun can be cancelled once it is known which one it is.
  const given = new AbortController();
  const opening = client.streamTurn(sessionId, { ...request, stream: mode }, { signal: given.signal });
  try {
    const stream = await untilAborted(opening, signal);
    const close = (): void => void stream.close();
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) close();
    try {
      for await (const event of stream) {
        await onEvent?.(event);
        if (event.event !== 'turn_stop') continue;
        const { event: _, ...stop } = event;
        return {
          ...stop,
          messages: stream.messages,
          ...(stream.turnId !== undefined && { turnId: stream.turnId }),
        };
      }
    } finally {
      signal.removeEventListener('abort', close);
    }
    signal.throwIfAborted();
  } catch (error) {
    if (signal.aborted) {
      await cancel(async (limit) => {
        const stream = await untilAborted(opening, limit);
        await stream.close();
        if (stream.turnId !== undefined) await client.cancelTurn(sessionId, stream.turnId, { signal: limit });
      });
    }
    throw error;
  } finally {
    given.abort();
  }
  throw new AapClientError('invalid-answer', 'the stream was closed before the turn stopped');
}

/** How long a server may take to cancel an abandoned turn. */
const cancelMs = 5000;

/** The abort is what is reported: a server without the extension lets the turn run on. */
async function cancel(ask: (limit: AbortSignal) => Promise<void>): Promise<void> {
  await ask(AbortSignal.timeout(cancelMs)).catch(() => undefined);
}

function toMessages(input: Parameters<typeof runTurn>[2]): readonly ApplicationMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return isMessage(input) ? [input] : input;
}

function isMessage(input: UserMessage | readonly ApplicationMessage[]): input is UserMessage {
  return !Array.isArray(input);
}
