import type { StreamMode } from '../../agent-info.ts';
import type { PostSessionTurnResponse } from '../../endpoint.ts';
import type { AgentMessage, HistoryMessage } from '../../message.ts';
import { RequestError } from '../request-error.ts';
import type { KnownTurn } from '../session/aap-session-state.ts';
import type { AapSession } from '../session/aap-session.ts';
import type { LiveTurn, StoredEvents } from '../turn/live-turn.ts';
import { eventsOf, readTurnEvents } from '../turn/stored-events.ts';
import { TurnReader } from '../turn/turn-reader.ts';
import { eventStreamType, toJson, type Exchange } from './exchange.ts';

/** The content of a response. */
export interface AnsweredTurn {
  readonly turnId: string;
  /** Its events in memory. @default those of the session's turn, if it is that one */
  readonly live?: LiveTurn;
}

/** Answers with a turn as its request asked for it: as a stream, or when it is over. */
export async function answerTurn(
  exchange: Exchange,
  session: AapSession,
  { turnId, live = liveTurn(session, turnId) }: AnsweredTurn,
): Promise<Response> {
  const { stream } = expectTurn(session, turnId);
  if (stream !== 'none') {
    return streamTurn(exchange, session, { turnId, mode: stream, ...(live !== undefined && { live }) });
  }
  if (live !== undefined) {
    const cancel = (): void => cancelIfUnwanted(exchange, session, turnId);
    exchange.request.signal.addEventListener('abort', cancel, { once: true });
    await live.stopped;
    exchange.request.signal.removeEventListener('abort', cancel);
  }
  return toAnswer(session, turnId);
}

/** The content of a stream. */
export interface StreamedTurn extends AnsweredTurn {
  readonly mode: StreamMode;
  /** The last event that was seen before. */
  readonly after?: number;
}

/** The events of a turn: the existing ones, and those that follow. */
export function streamTurn(
  exchange: Exchange,
  session: AapSession,
  { turnId, live = liveTurn(session, turnId), mode, after }: StreamedTurn,
): Response {
  const { context, streams } = exchange;
  const reader = new TurnReader(
    {
      ...(live !== undefined && { live }),
      stored: () => storedEvents(exchange, session, turnId),
    },
    { mode, pieceChars: context.limits.writeChars, ...(after !== undefined && { after }) },
  );
  const body = streams.open(reader, () => cancelIfUnwanted(exchange, session, turnId));
  return new Response(body, { headers: { ...streamHeaders, 'aap-turn-id': turnId } });
}

/** The events of a turn that the store has, and those that are still to be stored. */
async function* storedEvents(
  { context }: Exchange,
  { sessionId, owed }: AapSession,
  turnId: string,
): AsyncGenerator<StoredEvents, void, void> {
  yield* readTurnEvents(context.store, sessionId, turnId);
  for (const record of owed) {
    const events = eventsOf(record, turnId);
    if (events !== undefined) yield events;
  }
}

function liveTurn({ turn }: AapSession, turnId: string): LiveTurn | undefined {
  return turn?.turnId === turnId ? turn : undefined;
}

/** The turn of that id. */
export function expectTurn({ state }: AapSession, turnId: string): KnownTurn {
  const turn = state.turns.get(turnId);
  if (turn !== undefined) return turn;
  throw new RequestError(404, 'unknown_turn', 'the turn does not exist');
}

/** Nothing on the way may hold the events back. */
const streamHeaders = {
  'content-type': eventStreamType,
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

function toAnswer(session: AapSession, turnId: string): Response {
  const { turn, from, to } = expectTurn(session, turnId);
  if (session.isBroken || turn.stopReason === undefined) {
    throw new RequestError(
      503,
      'store_failed',
      'the server could not store what happened in the turn, and ended it',
    );
  }
  const { stopReason, error, detail, usage } = turn;
  const answer: PostSessionTurnResponse = {
    stopReason,
    messages: session.state.history
      .slice(from, to)
      .filter(isAgentMessage)
      .map((message) => toShown(message, session)),
    turnId,
    ...(error !== undefined && { error }),
    ...(detail !== undefined && { detail }),
    ...(usage !== undefined && { usage }),
  };
  return toJson(answer, { headers: { 'aap-turn-id': turnId } });
}

function toShown(message: AgentMessage, { state }: AapSession): AgentMessage {
  const content = message.role === 'tool' ? state.shownResults.get(message.toolCallId) : undefined;
  return content === undefined ? message : { ...message, content };
}

function isAgentMessage(message: HistoryMessage): message is AgentMessage {
  return message.role === 'assistant' || message.role === 'tool';
}

function cancelIfUnwanted({ onDisconnect, access }: Exchange, session: AapSession, turnId: string): void {
  // Who may only look can go without changing anything.
  if (onDisconnect !== 'cancel' || access.isReadOnly === true) return;
  if (session.turn?.turnId === turnId) void session.stop('cancelled');
}
