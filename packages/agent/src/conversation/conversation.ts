import type { ConversationServers } from '../mcp/conversation-servers.ts';
import type { ConversationPermissions } from '../permission/conversation-permissions.ts';
import { defaultMode, findMode } from '../permission/mode.ts';
import type { Mode } from '../permission/mode.ts';
import type { SubagentKind } from '../subagent/subagent-task.ts';
import { Subagents } from '../subagent/subagents.ts';
import type { Workplace } from '../tools/tool.ts';
import { Steering } from '../turn/steering.ts';
import type { ModelBounds, ConversationModel } from './conversation-model.ts';
import type { ConversationNotice } from './conversation-notice.ts';
import { ConversationSandbox } from './conversation-sandbox.ts';
import type { ConversationRecorder } from './record/conversation-recorder.ts';
import { Transcript } from './transcript.ts';

/** Options of a conversation, in addition to its id. */
export interface ConversationOptions {
  readonly workplace: Workplace;
  readonly servers: ConversationServers;
  readonly model: ConversationModel;
  readonly permissions: ConversationPermissions;
  readonly notices: readonly ConversationNotice[];
  readonly recorder: ConversationRecorder;
  /** Its state before it was resumed. @default none: it is new */
  readonly history?: ConversationHistory;
  /** The conversation it works for, if it belongs to a sub-agent. @default none */
  readonly parent?: ParentConversation;
}

/** The conversation that a sub-agent works for, and the kind of its work. */
export interface ParentConversation {
  readonly conversation: Conversation;
  readonly kind: SubagentKind;
}

/** The stored state of a resumed conversation. */
export interface ConversationHistory {
  /** How often it was resumed before; it makes new ids unique. */
  readonly opening: number;
  /** Number of prompts that the model received. */
  readonly turns: number;
  /** Whether there was a prompt that is no command. */
  readonly hasTurns: boolean;
  readonly transcript: Transcript;
}

/** State of one ACP session: its folders, its messages, and its permissions. */
export class Conversation {
  readonly id: string;
  readonly workplace: Workplace;
  /** Its MCP servers. */
  readonly servers: ConversationServers;
  /** What thinks. */
  readonly model: ConversationModel;
  readonly transcript: Transcript;
  /** The rules that hold in it, and the remembered answers of its user. */
  readonly permissions: ConversationPermissions;
  /** Stores the conversation. */
  readonly recorder: ConversationRecorder;
  /** What its client sends into the running turn. */
  readonly steering: Steering = new Steering();
  /** What holds its commands in the mode `workspace-write`. */
  readonly sandbox: ConversationSandbox;
  /** The sub-agents that work for it. */
  readonly subagents: Subagents;
  /** The conversation that it works for, if it is that of a sub-agent. */
  readonly parent: ParentConversation | undefined;
  /** How often it was resumed before. */
  readonly opening: number;
  /** Whether it has messages; commands do not count. */
  hasTurns: boolean;
  /** Number of prompts that the model received. */
  turns: number;
  /** Whether its client gave it a title, which its first prompt does not replace. */
  isTitled = false;
  /** Whether a turn runs. */
  isInTurn = false;
  #mode: Mode = defaultMode;
  #notices: readonly ConversationNotice[];
  readonly #noticed = new Set<string>();
  #costUsd: number | undefined;
  #toolCalls = 0;
  #messages = 0;
  #compactions = 0;

  constructor(id: string, options: ConversationOptions) {
    const { workplace, servers, model, permissions, notices, recorder, history } = options;
    const { limits } = workplace;
    this.id = id;
    this.workplace = workplace;
    this.sandbox = new ConversationSandbox(workplace);
    this.servers = servers;
    this.model = model;
    this.recorder = recorder;
    this.opening = history?.opening ?? 0;
    this.hasTurns = history?.hasTurns ?? false;
    this.turns = history?.turns ?? 0;
    this.transcript = history?.transcript ?? new Transcript(limits);
    this.transcript.onChange((change) => {
      recorder.transcript(change);
    });
    this.permissions = permissions;
    this.parent = options.parent;
    this.subagents = new Subagents(limits);
    this.#notices = notices;
  }

  /** The cost of its responses and those of its sub-agents in US dollars, if known. */
  get costUsd(): number | undefined {
    return this.#costUsd;
  }

  /** Adds the cost of a response, or of the time before it was resumed; nothing if unknown. */
  addCost(costUsd: number | undefined): void {
    // Clients never add the costs of two conversations: that of the parent is the whole.
    if (this.parent !== undefined) this.parent.conversation.addCost(costUsd);
    else if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd;
  }

  /** Tokens of the conversation. */
  get usedTokens(): number {
    return this.transcript.usedTokens;
  }

  /** What the conversation may do: a sub-agent never more than its parent does now. */
  get mode(): Mode {
    if (this.parent === undefined) return this.#mode;
    const { kind, conversation } = this.parent;
    return kind === 'explore' || conversation.mode === 'plan' ? 'read-only' : conversation.mode;
  }

  /** Sets the mode. Unknown ids are accepted and change no rights. */
  setMode(modeId: string): void {
    this.restoreMode(findMode(modeId) ?? this.#mode);
    this.recorder.note({ type: 'mode', modeId });
  }

  /** Takes the mode that was set at an earlier time. */
  restoreMode(mode: Mode): void {
    this.#mode = mode;
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
  takeNotices(): readonly ConversationNotice[] {
    const notices = [...this.#notices, ...this.recorder.takeNotices()];
    this.#notices = [];
    return notices;
  }

  /** Whether the notice is new in this conversation. */
  isNewNotice(title: string): boolean {
    if (this.#noticed.has(title)) return false;
    this.#noticed.add(title);
    return true;
  }

  /** An id for a tool call, unique in this conversation. */
  createToolCallId(): string {
    this.#toolCalls += 1;
    return `call_${this.#idPrefix}${String(this.#toolCalls)}`;
  }

  /** An id for a message of the agent, unique in this conversation. */
  createMessageId(): string {
    this.#messages += 1;
    return `message_${this.#idPrefix}${String(this.#messages)}`;
  }

  /** An id for a compaction, unique in this conversation. */
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
