import { defaultMode, findMode } from '../permission/mode.ts';
import type { Mode } from '../permission/mode.ts';
import { PermissionMemory } from '../permission/permission-memory.ts';
import type { Workplace } from '../tools/tool.ts';
import { Conversation } from './conversation.ts';

/** Something the user should know, told at the beginning of the next turn. */
export interface SessionNotice {
  readonly severity: 'info' | 'warning';
  readonly title: string;
  readonly description: string;
}

/** One session: where it works, what was said, and what its user allowed. */
export class Session {
  readonly id: string;
  readonly workplace: Workplace;
  readonly conversation: Conversation;
  readonly permissions: PermissionMemory;
  /** Tokens of the conversation, as the model counted last. */
  usedTokens = 0;
  #mode: Mode = defaultMode;
  #notices: readonly SessionNotice[];
  #toolCalls = 0;
  #messages = 0;

  constructor(id: string, workplace: Workplace, notices: readonly SessionNotice[]) {
    const { limits } = workplace;
    this.id = id;
    this.workplace = workplace;
    this.conversation = new Conversation(limits.conversationChars);
    this.permissions = new PermissionMemory(limits.rememberedAnswers);
    this.#notices = notices;
  }

  /** What the session may do. */
  get mode(): Mode {
    return this.#mode;
  }

  /** Takes any id; one that is no mode of ours changes no right. */
  setMode(modeId: string): void {
    this.#mode = findMode(modeId) ?? this.#mode;
  }

  /** The notices nobody was told yet; they are told once. */
  takeNotices(): readonly SessionNotice[] {
    const notices = this.#notices;
    this.#notices = [];
    return notices;
  }

  /** An id for a tool call, unique in this session. */
  createToolCallId(): string {
    this.#toolCalls += 1;
    return `call_${String(this.#toolCalls)}`;
  }

  /** An id for a message of the agent, unique in this session. */
  createMessageId(): string {
    this.#messages += 1;
    return `message_${String(this.#messages)}`;
  }
}
