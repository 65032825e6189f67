import type { NewSessionRequest } from '@parley/acp';
import type { Conversation } from './conversation.ts';
import type { Conversations } from './conversations.ts';
import type { ShowHistory } from './record/restore-conversation.ts';

/** The stored conversation that the first `session/new` resumes. */
export interface ResumeDirective {
  /** @default the conversation that was last used in its directory */
  readonly sessionId?: string;
  /** Called if the conversation does not exist or cannot be resumed; a new conversation is created instead. */
  readonly onMiss: (message: string) => void;
}

/** Source document 001, C.2: resumes a stored conversation at the first `session/new` of a connection, once. */
export class ResumeOnce {
  #directive: ResumeDirective | undefined;
  readonly #conversations: Conversations;

  constructor(directive: ResumeDirective | undefined, conversations: Conversations) {
    this.#directive = directive;
    this.#conversations = conversations;
  }

  /** Returns the stored conversation, after its history was shown; undefined if a new one has to be created. */
  async take(
    request: NewSessionRequest,
    showIn: (sessionId: string) => ShowHistory,
  ): Promise<Conversation | undefined> {
    const directive = this.#directive;
    if (directive === undefined) return undefined;
    this.#directive = undefined;
    try {
      const sessionId = directive.sessionId ?? (await this.#conversations.latest(request.cwd));
      if (sessionId !== undefined) {
        return await this.#conversations.restore({ ...request, sessionId }, showIn(sessionId));
      }
      directive.onMiss(`no stored session in ${request.cwd}; started a new one`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      directive.onMiss(`could not resume the requested session; started a new one: ${reason}`);
    }
    return undefined;
  }
}
