import type { ContentBlock, SessionUpdate, ToolCallUpdate } from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import { errorCode } from '../../error-code.ts';
import type { AgentLimits } from '../../limits.ts';
import type { ConversationNotice } from '../conversation-notice.ts';
import type { TranscriptChange } from '../transcript.ts';
import type { ConversationRecord, TurnUsage } from './conversation-record.ts';
import type { ConversationLog } from './conversation-store.ts';
import { cutTexts, withoutData } from './cut-record.ts';
import { subagentLog } from './subagent-log.ts';

/** The log of a conversation, if it is stored. */
export interface ConversationRecorderOptions {
  readonly limits: AgentLimits;
  /** Absent when the conversation is not kept. */
  readonly kept?: { readonly log: ConversationLog; readonly now: () => string };
  /** Why it cannot be kept though it should. */
  readonly failure?: unknown;
}

/** Characters of text that are combined into one record. */
const chunkChars = 64 * 1024;

type RecorderState =
  | { readonly kind: 'saving'; readonly log: ConversationLog }
  /** The conversation is not stored. */
  | { readonly kind: 'unsaved' }
  /** Part of the log was lost: later records could not be understood. */
  | { readonly kind: 'broken'; readonly error: unknown };

/**
 * Records the events of a session: the chunks of a message as one text, repeated updates once with a count, a tool call
 * as its start and its end. While the log cannot be written, records wait in it, and callers that wait for them are
 * rejected: the turn fails. If there is no folder for a log, the session
 * continues unsaved.
 */
export class ConversationRecorder {
  readonly #options: ConversationRecorderOptions;
  #state: RecorderState;
  #notices: readonly ConversationNotice[] = [];
  #last: { readonly update: SessionUpdate; times: number } | undefined;
  #texts: string[] = [];
  #textChars = 0;
  /** Unfinished calls, with the updates since their start. */
  readonly #openCalls = new Map<string, ToolCallUpdate>();
  #callsOfStep = 0;
  #leftOut = 0;

  constructor(options: ConversationRecorderOptions) {
    this.#options = options;
    this.#state =
      options.kept === undefined ? { kind: 'unsaved' } : { kind: 'saving', log: options.kept.log };
    if (options.failure !== undefined) this.#notices = [isNotSaved(options.failure)];
  }

  /** Whether the conversation is being stored. */
  get isSaving(): boolean {
    return this.#state.kind !== 'unsaved';
  }

  /** The time, ISO 8601; empty if the conversation is not stored. */
  now(): string {
    return this.#options.kept?.now() ?? '';
  }

  /** A notice that the conversation is no longer stored, reported once. */
  takeNotices(): readonly ConversationNotice[] {
    const notices = this.#notices;
    this.#notices = [];
    return notices;
  }

  /** Something that is no part of a turn. */
  note(record: ConversationRecord): void {
    this.#append(record);
  }

  beginTurn(content: readonly ContentBlock[], opening: number): void {
    this.#append({ type: 'prompt', time: this.now(), opening, content });
  }

  /** What the user has sent into the running turn, from where the model reads it. */
  steered(content: readonly ContentBlock[]): void {
    this.#endChunk();
    this.#append({ type: 'steered', content });
  }

  /** A recorder for the conversation of a sub-agent, whose updates are stored with those of this one. */
  ofSubagent(sessionId: string): ConversationRecorder {
    const { limits, kept } = this.#options;
    if (kept === undefined) return new ConversationRecorder({ limits });
    return new ConversationRecorder({ limits, kept: { ...kept, log: subagentLog(this, sessionId) } });
  }

  /** What the client is shown. */
  update(update: SessionUpdate): void {
    if (this.#state.kind !== 'saving') return;
    if (this.#last?.update === update && this.#texts.length <= 1) {
      this.#last.times += 1;
      return;
    }
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        this.#chunk(update);
        return;
      case 'plan':
        this.#endChunk();
        this.#last = { update, times: 1 };
        return;
      case 'subagent_update':
      case 'session_message':
        this.#endChunk();
        this.#append({ type: 'update', update });
        return;
      case 'tool_call':
        this.#endChunk();
        this.#openCall(update);
        return;
      case 'tool_call_update':
        this.#endChunk();
        this.#updateCall(update);
        return;
      case 'user_message_chunk':
      case 'available_commands_update':
      case 'current_mode_update':
      case 'config_option_update':
      case 'session_info_update':
      case 'usage_update':
      case 'notice':
      case 'compaction_update':
      case 'compaction_summary_chunk':
      case 'session_message_chunk':
      case 'unknown':
        // Reported anew when the conversation is resumed, or recorded by the caller that changes it.
        return;
    }
  }

  /** What the model reads from now on. */
  transcript(change: TranscriptChange): void {
    this.#endChunk();
    this.#append(change);
  }

  /**
   * Settles when a step is written, so that the end of this process costs no more than the next one.
   *
   * @throws {RpcError} It could not be written.
   */
  async endStep(): Promise<void> {
    this.#endStep();
    await this.flush();
    // For the case that the machine ends: the next step does not wait for the disk.
    this.#sync().catch(() => {
      // The next step, or the end of the turn, says so.
    });
  }

  /** Settles when the turn is on the disk. @throws {RpcError} It could not be written. */
  async endTurn(stopReason: string, usage: TurnUsage): Promise<void> {
    this.#endChunk();
    this.#endStep();
    this.#append({ type: 'end', time: this.now(), stopReason, ...usage });
    await this.#sync();
  }

  /** Settles when all that was recorded can be read by others. @throws {RpcError} It could not be written. */
  flush(): Promise<void> {
    return this.#written((log) => log.flush());
  }

  async close(): Promise<void> {
    this.#endChunk();
    if (this.#state.kind !== 'saving') return;
    try {
      await this.#state.log.close();
    } catch {
      // The turn that could not be written has failed, and said so.
    }
  }

  #chunk(
    update: Extract<SessionUpdate, { readonly sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }>,
  ): void {
    const { content } = update;
    const last = this.#last;
    const goesOn =
      content.type === 'text' &&
      last?.times === 1 &&
      last.update.sessionUpdate === update.sessionUpdate &&
      last.update.content.type === 'text' &&
      last.update.messageId === update.messageId &&
      this.#textChars < chunkChars;
    if (!goesOn) {
      this.#endChunk();
      this.#last = { update, times: 1 };
    }
    if (content.type !== 'text') return;
    this.#texts.push(content.text);
    this.#textChars += content.text.length;
  }

  #endChunk(): void {
    const last = this.#last;
    const texts = this.#texts;
    if (last === undefined) return;
    this.#last = undefined;
    this.#texts = [];
    this.#textChars = 0;
    const { update, times } = last;
    if (times > 1) this.#append({ type: 'update', update, times });
    else if (texts.length > 1 && isChunk(update)) {
      const content: ContentBlock = { type: 'text', text: texts.join('') };
      this.#append({ type: 'update', update: { ...update, content } });
    } else this.#append({ type: 'update', update });
  }

  #openCall(update: Extract<SessionUpdate, { readonly sessionUpdate: 'tool_call' }>): void {
    if (this.#callsOfStep >= this.#options.limits.recordedCalls) {
      this.#leftOut += 1;
      return;
    }
    this.#callsOfStep += 1;
    this.#openCalls.set(update.toolCallId, { toolCallId: update.toolCallId });
    this.#append({ type: 'update', update });
  }

  #updateCall(update: Extract<SessionUpdate, { readonly sessionUpdate: 'tool_call_update' }>): void {
    const before = this.#openCalls.get(update.toolCallId);
    if (before === undefined) return;
    const merged = { ...before, ...update };
    if (update.status !== 'completed' && update.status !== 'failed') {
      this.#openCalls.set(update.toolCallId, merged);
      return;
    }
    this.#openCalls.delete(update.toolCallId);
    this.#append({ type: 'update', update: merged });
  }

  #endStep(): void {
    if (this.#leftOut > 0) this.#append({ type: 'left-out', calls: this.#leftOut });
    this.#callsOfStep = 0;
    this.#leftOut = 0;
  }

  /** A record that is too long for a line is kept without its images, and if need be with its long texts cut. */
  #append(record: ConversationRecord): void {
    try {
      if (this.#fits(record)) return;
      const rest = withoutData(record);
      if (this.#fits(rest)) return;
      if (this.#state.kind === 'saving') {
        this.#state.log.append(cutTexts(rest, this.#options.limits.messageChars));
      }
    } catch (error) {
      this.#break(error);
    }
  }

  /** Appends a record, unless it is too long. */
  #fits(record: ConversationRecord): boolean {
    try {
      if (this.#state.kind === 'saving') this.#state.log.append(record);
      return true;
    } catch (error) {
      if (errorCode(error) === 'too-large') return false;
      throw error;
    }
  }

  #sync(): Promise<void> {
    return this.#written((log) => log.sync());
  }

  async #written(write: (log: ConversationLog) => Promise<void>): Promise<void> {
    switch (this.#state.kind) {
      case 'unsaved':
        return;
      case 'broken':
        throw notSaved(this.#state.error, 'Load it again to continue from the saved state.');
      case 'saving':
        try {
          await write(this.#state.log);
        } catch (error) {
          throw notSaved(error, 'Make room, and send the prompt again.');
        }
    }
  }

  #break(error: unknown): void {
    if (this.#state.kind !== 'saving') return;
    const { log } = this.#state;
    this.#state = { kind: 'broken', error };
    void closeBroken(log);
  }
}

function notSaved(error: unknown, whatToDo: string): RpcError {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The session cannot be saved, so the agent does nothing in it: ${reason}. ${whatToDo}`;
  return new RpcError(rpcCodes.internalError, message, { code: 'not-saved' }, { cause: error });
}

function isChunk(
  update: SessionUpdate,
): update is Extract<
  SessionUpdate,
  { readonly sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }
> {
  return update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk';
}

async function closeBroken(log: ConversationLog): Promise<void> {
  try {
    await log.close();
  } catch {
    // What it could not write is reported by each turn.
  }
}

function isNotSaved(error: unknown): ConversationNotice {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    severity: 'warning',
    title: 'This session is not saved any more',
    description: `It continues, but everything from now on is lost when it is closed: ${reason}`,
  };
}
