import type { SessionUpdate } from '@parley/acp';
import { rpcCodes } from '@parley/wire';
import type { ModelMessage, ModelToolResult } from '../../model/model.ts';
import { findMode } from '../../permission/mode.ts';
import type { Mode } from '../../permission/mode.ts';
import { textContent } from '../../tools/content.ts';
import type { TranscriptChange } from '../transcript.ts';
import type { ConversationRecord } from './conversation-record.ts';

/** Rebuilds the state of a conversation from its records, which are applied once and in order. */
export class StoredState {
  #head: Extract<ConversationRecord, { readonly type: 'session' }> | undefined;
  #isInTurn = false;
  #hasTurns = false;
  #opening = 0;
  #usedTokens = 0;
  #costUsd: number | undefined;
  #directories: readonly string[] = [];
  #mode: Mode | undefined;
  #mcpServers: string | undefined;
  readonly #options = new Map<string, string>();
  readonly #openCalls = new Map<string, OpenCall>();
  /** Sub-agents that are not idle. */
  readonly #working = new Set<string>();
  #lastMessage: ModelMessage | undefined;
  #turns = 0;
  readonly #onChange: (change: TranscriptChange) => void;

  /** @param onChange Takes the conversation, complete: each call has a result. */
  constructor(onChange: (change: TranscriptChange) => void) {
    this.#onChange = onChange;
  }

  get head(): Extract<ConversationRecord, { readonly type: 'session' }> | undefined {
    return this.#head;
  }

  /** Whether there was a prompt that is no command. */
  get hasTurns(): boolean {
    return this.#hasTurns;
  }

  /** Whether the last turn has no end. */
  get isInTurn(): boolean {
    return this.#isInTurn;
  }

  /** How often the conversation was resumed before. */
  get opening(): number {
    return this.#opening;
  }

  get usedTokens(): number {
    return this.#usedTokens;
  }

  /** The cost of the conversation, if known. */
  get costUsd(): number | undefined {
    return this.#costUsd;
  }

  /** Number of prompts that the model received. */
  get turns(): number {
    return this.#turns;
  }

  get directories(): readonly string[] {
    return this.#directories;
  }

  get mode(): Mode | undefined {
    return this.#mode;
  }

  get mcpServers(): string | undefined {
    return this.#mcpServers;
  }

  /** Config options that were set, by id, and the model it began with. */
  get options(): ReadonlyMap<string, string> {
    return this.#options;
  }

  take(record: ConversationRecord): void {
    switch (record.type) {
      case 'session':
        this.#head = record;
        this.#directories = record.directories;
        this.#mode = findMode(record.modeId);
        if (record.modelId !== undefined) this.#options.set('model', record.modelId);
        this.#mcpServers = record.mcpServers;
        return;
      case 'directories':
        this.#directories = record.directories;
        return;
      case 'mode':
        // A client may have set an id that is no mode: it changed no rights.
        this.#mode = findMode(record.modeId) ?? this.#mode;
        return;
      case 'option':
        this.#options.set(record.id, record.value);
        return;
      case 'servers':
        this.#mcpServers = record.mcpServers;
        return;
      case 'title':
        this.#hasTurns = true;
        return;
      case 'left-out':
        return;
      case 'steered':
        // Its message is no turn.
        this.#turns -= 1;
        return;
      case 'prompt':
        this.#isInTurn = true;
        this.#opening = Math.max(this.#opening, record.opening + 1);
        return;
      case 'update':
        this.#takeUpdate(record.update, record.subagent);
        return;
      case 'message':
        this.#takeMessage(record.message);
        return;
      case 'clear':
        this.#lastMessage = undefined;
        this.#usedTokens = 0;
        this.#onChange(record);
        return;
      case 'compaction':
        if (record.kept === 0 && !record.keepsPrompt) this.#lastMessage = undefined;
        this.#usedTokens = record.usedTokens;
        this.#onChange(record);
        return;
      case 'end':
        this.#isInTurn = false;
        this.#usedTokens = record.usedTokens;
        this.#costUsd = record.costUsd ?? this.#costUsd;
        this.#openCalls.clear();
        this.#working.clear();
        return;
    }
  }

  /** What has to be written, and shown, so that each call has a result, and a turn that never got there its end. */
  missingRecords(time: string): readonly ConversationRecord[] {
    const messages = this.#missingMessages().map((message): ConversationRecord => ({
      type: 'message',
      message,
    }));
    if (!this.#isInTurn) return messages;
    const calls = [...this.#openCalls.values()].map(({ toolCallId, subagent }): ConversationRecord => ({
      type: 'update',
      ...(subagent !== undefined && { subagent }),
      update: {
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: 'failed',
        content: [textContent(interrupted)],
        rawOutput: { error: { code: 'interrupted', message: interrupted } },
      },
    }));
    const subagents = [...this.#working].map((sessionId): ConversationRecord => ({
      type: 'update',
      update: {
        sessionUpdate: 'subagent_update',
        sessionId,
        capabilities: null,
        state: {
          state: 'idle',
          stopReason: 'error',
          error: { code: rpcCodes.internalError, message: interrupted },
        },
      },
    }));
    return [
      ...calls,
      ...subagents,
      ...messages,
      { type: 'end', time, stopReason: 'interrupted', usedTokens: this.#usedTokens },
    ];
  }

  #takeUpdate(update: SessionUpdate, subagent: string | undefined): void {
    switch (update.sessionUpdate) {
      case 'tool_call': {
        const { toolCallId } = update;
        const call = { toolCallId, ...(subagent !== undefined && { subagent }) };
        this.#openCalls.set(callKey(toolCallId, subagent), call);
        return;
      }
      case 'tool_call_update':
        this.#openCalls.delete(callKey(update.toolCallId, subagent));
        return;
      case 'subagent_update':
        if (update.state?.state === 'idle') this.#working.delete(update.sessionId);
        else this.#working.add(update.sessionId);
        return;
      default:
        return;
    }
  }

  #takeMessage(message: ModelMessage): void {
    const calls = openCalls(this.#lastMessage);
    if (message.role === 'tool') {
      // Results without their calls are what damage has left.
      if (calls.length === 0) return;
      const known = new Map(message.results.map((result) => [result.id, result]));
      this.#give({ role: 'tool', results: calls.map((call) => known.get(call.id) ?? call) });
      return;
    }
    if (calls.length > 0) this.#give({ role: 'tool', results: calls });
    if (message.role === 'user') this.#turns += 1;
    this.#give(message);
  }

  #missingMessages(): readonly ModelMessage[] {
    const calls = openCalls(this.#lastMessage);
    if (calls.length > 0) return [{ role: 'tool', results: calls }];
    return this.#lastMessage?.role === 'user' ? [{ role: 'assistant', text: '', toolCalls: [] }] : [];
  }

  #give(message: ModelMessage): void {
    this.#lastMessage = message;
    this.#onChange({ type: 'message', message });
  }
}

/** A call without an end, in the conversation of a sub-agent if it names one. */
interface OpenCall {
  readonly toolCallId: string;
  readonly subagent?: string;
}

/** Ids of calls are unique within their conversation only. */
function callKey(toolCallId: string, subagent = ''): string {
  return `${subagent} ${toolCallId}`;
}

const interrupted = 'Interrupted: the agent was ended while this ran, and what came of it is unknown';

/** Results for calls that have none, as far as they can be given. */
function openCalls(message: ModelMessage | undefined): readonly ModelToolResult[] {
  if (message?.role !== 'assistant') return [];
  return message.toolCalls.map(({ id, name }) => ({ id, name, isError: true, text: interrupted }));
}
