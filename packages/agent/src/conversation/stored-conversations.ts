import { invalidParams, unknownSession } from '@parley/acp';
import type { SessionStatus } from '@parley/acp/unstable';
import type { Conversation } from './conversation.ts';
import type { ConversationMarks, ConversationStore } from './record/conversation-store.ts';
import { titleOf } from './title-of.ts';
import { toRefusal } from './to-refusal.ts';

/** Options of requests about stored conversations. */
export interface StoredConversationsOptions {
  /** Undefined where no conversation is stored. */
  readonly store: ConversationStore | undefined;
  /** The conversation that this connection has open. */
  readonly find: (id: string) => Conversation | undefined;
  readonly close: (id: string) => Promise<void>;
}

/** What clients do with conversations that need not be open: their titles, the archive, and whether they are open. */
export class StoredConversations {
  readonly #options: StoredConversationsOptions;

  constructor(options: StoredConversationsOptions) {
    this.#options = options;
  }

  /** Returns the title as it is stored. */
  async retitle(id: string, text: string): Promise<string> {
    const title = titleOf([{ type: 'text', text }]);
    if (title === undefined) throw invalidParams('title', 'a text that is not empty');
    await this.#mark(id, { title });
    const conversation = this.#options.find(id);
    if (conversation !== undefined) conversation.isTitled = true;
    return title;
  }

  /** Closes a conversation and hides it from the list. */
  async archive(id: string): Promise<void> {
    await this.#check(id);
    await this.#options.close(id);
    await this.#mark(id, { isArchived: true });
  }

  async unarchive(id: string): Promise<void> {
    await this.#mark(id, { isArchived: false });
  }

  async status(id: string): Promise<SessionStatus> {
    if (this.#options.find(id) !== undefined) return 'open';
    await this.#check(id);
    return 'saved';
  }

  async #mark(id: string, marks: ConversationMarks): Promise<void> {
    const store = await this.#check(id);
    try {
      await store.mark(id, marks);
    } catch (error) {
      throw toRefusal(error, id);
    }
  }

  async #check(id: string): Promise<ConversationStore> {
    const { store } = this.#options;
    if (store === undefined || !(await store.has(id))) throw unknownSession(id);
    return store;
  }
}
