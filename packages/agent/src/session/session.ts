import type { SessionServers } from '../mcp/session-servers.ts';
import { defaultMode, findMode } from '../permission/mode.ts';
import type { Mode } from '../permission/mode.ts';
import type { SessionPermissions } from '../permission/session-permissions.ts';
import type { Workplace } from '../tools/tool.ts';
import { Conversation } from './conversation.ts';
import type { SessionRecorder } from './record/session-recorder.ts';
import type { ModelBounds, SessionModel } from './session-model.ts';
import type { SessionNotice } from './session-notice.ts';

/** What a session is made of, beside its id. */
export interface SessionOptions {
  readonly workplace: Workplace;
  readonly servers: SessionServers;
  readonly model: SessionModel;
  readonly permissions: SessionPermissions;
  readonly notices: readonly SessionNotice[];
  readonly recorder: SessionRecorder;
  /** Its state before it was resumed. @default none: it is new */
  readonly history?: SessionHistory;
}

/** What is known of a session that is resumed. */
export interface SessionHistory {
  /** How often it was resumed before; its ids differ from those of then. */
  readonly opening: number;
  /** How many prompts the model was given. */
  readonly turns: number;
  /** Whether there was a prompt that is no command. */
  readonly hasTurns: boolean;
  readonly conversation: Conversation;
}

/** One session: where it works, what was said, and what its user allowed. */
export class Session {
  readonly id: string;
  readonly workplace: Workplace;
  /** Its MCP servers. */
  readonly servers: SessionServers;
  /** What thinks. */
  readonly model: SessionModel;
  readonly conversation: Conversation;
  /** The rules that hold in it, and the remembered answers of its user. */
  readonly permissions: SessionPermissions;
  /** Keeps what happens beyond the connection. */
  readonly recorder: SessionRecorder;
  /** How often it was resumed before. */
  readonly opening: number;
  /** Whether something was said in it; a command alone is nothing. */
  hasTurns: boolean;
  /** How many prompts the model was given. */
  turns: number;
  /** Whether a turn runs. */
  isInTurn = false;
  #mode: Mode = defaultMode;
  #notices: readonly SessionNotice[];
  readonly #noticed = new Set<string>();
  #costUsd: number | undefined;
  #toolCalls = 0;
  #messages = 0;
  #compactions = 0;

  constructor(id: string, options: SessionOptions) {
    const { workplace, servers, model, permissions, notices, recorder, history } = options;
    const { limits } = workplace;
    this.id = id;
    this.workplace = workplace;
    this.servers = servers;
    this.model = model;
    this.recorder = recorder;
    this.opening = history?.opening ?? 0;
    this.hasTurns = history?.hasTurns ?? false;
    this.turns = history?.turns ?? 0;
    this.conversation = history?.conversation ?? new Conversation(limits);
    this.conversation.onChange((change) => {
      recorder.conversation(change);
    });
    this.permissions = permissions;
    this.#notices = notices;
  }

  /** What its responses cost in US dollars, as far as that is known. */
  get costUsd(): number | undefined {
    return this.#costUsd;
  }

  /** Adds what a response cost, or all of an earlier time did; nothing where it is unknown. */
  addCost(costUsd: number | undefined): void {
    if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd;
  }

  /** Tokens of the conversation. */
  get usedTokens(): number {
    return this.conversation.usedTokens;
  }

  /** What the session may do. */
  get mode(): Mode {
    return this.#mode;
  }

  /** Takes any id; one that is no mode of ours changes no right. */
  setMode(modeId: string): void {
    this.restoreMode(modeId);
    this.recorder.note({ type: 'mode', modeId });
  }

  /** Takes the mode that was set at an earlier time. */
  restoreMode(modeId: string): void {
    this.#mode = findMode(modeId) ?? this.#mode;
  }

  /** Takes `provider/model`, or a model of the present provider. */
  async setModel(value: string, field?: string): Promise<void> {
    await this.model.choose(value, field);
    this.#noteModel();
  }

  /** Selects a model of the current provider, by any name. */
  async setModelName(name: string): Promise<void> {
    await this.model.chooseName(name, 'model');
    this.#noteModel();
  }

  /** Takes a thought level of the current model. */
  setThoughtLevel(level: string): void {
    this.model.chooseThoughtLevel(level);
    this.recorder.note({ type: 'option', id: 'thought_level', value: level });
  }

  /** Sets bounds of the model; those that are not named stay. */
  setModelBounds(bounds: ModelBounds): void {
    this.model.setBounds(bounds);
    for (const [id, value] of Object.entries(bounds)) {
      this.recorder.note({ type: 'option', id, value: String(value) });
    }
  }

  /** The notices that were not shown yet; each is returned once. */
  takeNotices(): readonly SessionNotice[] {
    const notices = [...this.#notices, ...this.recorder.takeNotices()];
    this.#notices = [];
    return notices;
  }

  /** Whether this is said for the first time in this session. */
  isNewNotice(title: string): boolean {
    if (this.#noticed.has(title)) return false;
    this.#noticed.add(title);
    return true;
  }

  /** An id for a tool call, unique in this session. */
  createToolCallId(): string {
    this.#toolCalls += 1;
    return `call_${this.#idPrefix}${String(this.#toolCalls)}`;
  }

  /** An id for a message of the agent, unique in this session. */
  createMessageId(): string {
    this.#messages += 1;
    return `message_${this.#idPrefix}${String(this.#messages)}`;
  }

  /** An id for a compaction, unique in this session. */
  createCompactionId(): string {
    this.#compactions += 1;
    return `compaction_${this.#idPrefix}${String(this.#compactions)}`;
  }

  #noteModel(): void {
    this.recorder.note({ type: 'option', id: 'model', value: this.model.current.id });
  }

  get #idPrefix(): string {
    return this.opening === 0 ? '' : `${String(this.opening)}_`;
  }
}
