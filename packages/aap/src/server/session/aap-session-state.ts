import type { HistoryMessage, ToolMessage } from '../../message.ts';
import type { ToolResult } from '../../tool-result.ts';
import type { ToolCall, ToolSpec } from '../../tool.ts';
import type { Turn } from '../../turn.ts';
import type { StoredConfig } from '../config/stored-config.ts';
import type { Asked, LoggedTurnEvent } from '../turn/logged-turn-event.ts';
import type { ApplicationAnswer, AapSessionRecord, TurnInput, TurnStarted } from './aap-session-record.ts';
import { HistoryBuilder } from './history-builder.ts';
import type { Idempotency } from './idempotency.ts';

/** A call without a result. */
export interface PendingCall {
  readonly call: ToolCall;
  /** What the application is to give; absent while the agent is at it. */
  readonly asks?: Asked;
}

/** A turn, and where it is in the history. */
export interface KnownTurn {
  readonly turn: Turn;
  readonly stream: TurnStarted['stream'];
  readonly idempotency?: Idempotency;
  /** Its messages in the history: from here, */
  readonly from: number;
  /** to here; absent while it runs. */
  readonly to?: number;
}

/** What a session is, by its records. The same records always give the same state. */
export class AapSessionState {
  agent: StoredConfig = { name: '' };
  tools: readonly ToolSpec[] | undefined;
  tenant: string | undefined;
  idempotency: Idempotency | undefined;
  createdAt = '';
  updatedAt = '';
  title: string | undefined;
  /** What the agent keeps with the session. */
  remembered: unknown;
  /** The number of the last event of the running turn. */
  lastSeq = 0;
  /** By their ids. */
  readonly openCalls: Map<string, PendingCall> = new Map<string, PendingCall>();
  /** What applications receive in place of results, by the ids of their calls. */
  readonly shownResults: Map<string, ToolResult['content']> = new Map<string, ToolResult['content']>();
  /** By their ids, oldest first. */
  readonly turns: Map<string, KnownTurn> = new Map<string, KnownTurn>();
  /** The running turn. */
  running: string | undefined;
  readonly #history = new HistoryBuilder();

  /** All that was said, oldest first. The last message may still grow. */
  get history(): readonly HistoryMessage[] {
    return this.#history.messages;
  }

  /** The calls that the application is to answer. */
  get waitingCalls(): readonly PendingCall[] {
    return [...this.openCalls.values()].filter(({ asks }) => asks !== undefined);
  }

  /** When the calls that wait for the application were announced. */
  get waitingSince(): string {
    return [...this.turns.values()].at(-1)?.turn.stoppedAt ?? this.createdAt;
  }

  /** Takes the next record. */
  apply(record: AapSessionRecord): void {
    switch (record.type) {
      case 'created':
        return this.#create(record);
      case 'turn-start':
        return this.#startTurn(record);
      case 'events':
        for (const event of record.events) this.applyEvent(event);
        return undefined;
      case 'turn-stop':
        return this.#stopTurn(record);
      case 'resolved':
        this.updatedAt = record.time;
        for (const result of record.results) this.#resolve(result);
        return undefined;
      case 'changed':
        this.updatedAt = record.time;
        this.title = record.title ?? this.title;
        if (record.options !== undefined) {
          this.agent = { ...this.agent, options: { ...this.agent.options, ...record.options } };
        }
        return undefined;
      case 'owner':
        this.tenant = record.tenant;
        return undefined;
      case 'state':
        this.remembered = record.state;
        return undefined;
    }
  }

  /** Applies the next event of the running turn. */
  applyEvent(event: LoggedTurnEvent): void {
    this.lastSeq += 1;
    if (event.event === 'tool_call') {
      const { toolCallId, name, input, asks } = event;
      this.openCalls.set(toolCallId, {
        call: { toolCallId, name, input },
        ...(asks !== undefined && { asks }),
      });
    } else if (event.event === 'tool_result') {
      this.openCalls.delete(event.toolCallId);
      if (event.shown !== undefined) this.shownResults.set(event.toolCallId, event.shown);
    }
    this.#history.add(event);
  }

  #create(record: Extract<AapSessionRecord, { type: 'created' }>): void {
    this.createdAt = record.time;
    this.updatedAt = record.time;
    this.agent = record.agent;
    this.tools = record.tools;
    this.tenant = record.tenant;
    this.idempotency = record.idempotency;
    for (const message of record.messages ?? []) this.#history.push(message);
    for (const call of unresolvedCalls(record.messages ?? [])) {
      const isTool = record.tools?.some(({ name }) => name === call.name) === true;
      this.openCalls.set(call.toolCallId, { call, asks: isTool ? 'result' : 'permission' });
    }
  }

  #startTurn(record: TurnStarted): void {
    const { turnId, time, stream, idempotency } = record;
    this.updatedAt = time;
    this.agent = record.agent;
    this.tools = record.tools;
    this.#takeInput(record.input);
    this.#history.endMessage();
    this.turns.set(turnId, {
      turn: { turnId, status: 'running', startedAt: time },
      stream,
      ...(idempotency !== undefined && { idempotency }),
      from: this.history.length,
    });
    this.running = turnId;
    this.lastSeq = 1;
  }

  #takeInput(input: TurnInput): void {
    switch (input.kind) {
      case 'message':
        for (const result of input.superseded ?? []) this.#resolve(result);
        return this.#history.push(input.message);
      case 'answers':
        for (const answer of input.answers) this.#takeAnswer(answer);
    }
  }

  #takeAnswer(answer: ApplicationAnswer): void {
    const { toolCallId } = answer;
    const open = this.openCalls.get(toolCallId);
    if (open === undefined) return;
    switch (answer.kind) {
      case 'result':
        return this.#resolve({ role: 'tool', toolCallId, content: answer.content });
      // The result of a denial is an event of the turn, and comes as such.
      case 'denied':
      case 'granted':
        this.openCalls.set(toolCallId, { call: open.call });
    }
  }

  #stopTurn({
    turnId,
    time,
    stopReason,
    error,
    detail,
    usage,
  }: Extract<AapSessionRecord, { type: 'turn-stop' }>): void {
    this.updatedAt = time;
    this.running = undefined;
    this.lastSeq += 1;
    const known = this.turns.get(turnId);
    if (stopReason === 'error') this.#history.markInterrupted();
    this.#history.endMessage();
    if (known === undefined) return;
    this.turns.set(turnId, {
      ...known,
      to: this.history.length,
      turn: {
        ...known.turn,
        status: 'stopped',
        stopReason,
        ...(error !== undefined && { error }),
        ...(detail !== undefined && { detail }),
        stoppedAt: time,
        ...(usage !== undefined && { usage }),
      },
    });
  }

  #resolve(result: ToolMessage): void {
    this.openCalls.delete(result.toolCallId);
    this.#history.push(result);
  }
}

/** The calls of the last assistant message that nothing came of. */
function unresolvedCalls(messages: readonly HistoryMessage[]): readonly ToolCall[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const content = messages[last]?.content;
  if (content === undefined || typeof content === 'string') return [];
  const resolved = new Set(
    messages.slice(last).flatMap((each) => (each.role === 'tool' ? [each.toolCallId] : [])),
  );
  return content.flatMap((block) =>
    block.type === 'tool_use' && !resolved.has(block.toolCallId)
      ? [{ toolCallId: block.toolCallId, name: block.name, input: block.input }]
      : [],
  );
}
