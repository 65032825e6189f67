import { isJsonObject, type JsonObject } from '@parley/wire';
import type { QueuedPrompt } from '../hub/hub-session.ts';
import type { SessionColumns } from '../store/session-head.ts';
import type { SessionStore } from '../store/session-store.ts';
import { parsePromptBlocks } from './queue/queued-content.ts';

/** What the hub keeps of a session besides its event log. */
export interface SessionNotes {
  /** The title that the user gave it. */
  readonly title?: string;
  readonly queue: readonly QueuedPrompt[];
  /** The queue waits for the user, who stopped a turn, or whose turn failed. @default it continues with the session */
  readonly isQueueHeld?: true;
  /** @default its agent knows the title, and has not archived it */
  readonly agentMarks?: AgentMarks;
}

/** What the agent of a session was sent of the notes. */
export interface AgentMarks {
  /** The agent was not sent the title yet. */
  readonly isTitleUnsent?: true;
  /** The agent has archived the session. */
  readonly isArchived?: true;
}

/** Nothing is kept. */
export const noNotes: SessionNotes = { queue: [] };

/** The notes in the columns of a session. What is damaged is as good as none: nothing depends on it. */
export function toNotes({ title, queue, isQueueHeld, agentMarks }: SessionColumns): SessionNotes {
  try {
    const prompts: readonly unknown[] = Array.isArray(queue) ? queue : [];
    return {
      queue: prompts.map(toPrompt),
      ...(isQueueHeld === true && { isQueueHeld }),
      ...(typeof title === 'string' && { title }),
      ...(isJsonObject(agentMarks) && { agentMarks: toAgentMarks(agentMarks) }),
    };
  } catch {
    return noNotes;
  }
}

/** Writes the notes of one session, the last ones that were given. */
export class NotesWriter {
  readonly #store: SessionStore;
  readonly #key: string;
  readonly #onFault: (error: unknown) => void;
  #next: SessionNotes | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** What is stored, as JSON. */
  #stored: string;

  /** @param stored The notes that the store has. */
  constructor(
    store: SessionStore,
    stored: { readonly key: string; readonly notes: SessionNotes },
    onFault: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#key = stored.key;
    this.#stored = JSON.stringify(stored.notes);
    this.#onFault = onFault;
  }

  /** Settles when these, or later ones, are written, or could not be. Never rejects. */
  write(notes: SessionNotes): Promise<void> {
    if (this.#isClosed) return this.#writing;
    this.#next = notes;
    this.#writing = this.#writing.then(() => this.#writeNext());
    return this.#writing;
  }

  /** Nothing is written any more, nor what waits to be. */
  close(): void {
    this.#isClosed = true;
    this.#next = undefined;
  }

  async #writeNext(): Promise<void> {
    const notes = this.#next;
    this.#next = undefined;
    if (notes === undefined) return;
    const json = JSON.stringify(notes);
    if (json === this.#stored) return;
    try {
      await this.#store.setColumns(this.#key, { ...notes });
      this.#stored = json;
    } catch (error) {
      this.#onFault(error);
    }
  }
}

function toAgentMarks({ isTitleUnsent, isArchived }: JsonObject): AgentMarks {
  return {
    ...(isTitleUnsent === true && { isTitleUnsent }),
    ...(isArchived === true && { isArchived }),
  };
}

/** @throws {RpcError} It is none. */
function toPrompt(value: unknown): QueuedPrompt {
  const isPrompt = typeof value === 'object' && value !== null && 'id' in value && 'blocks' in value;
  if (!isPrompt || typeof value.id !== 'string') throw new TypeError('not a prompt');
  return { id: value.id, blocks: parsePromptBlocks(value.blocks, 'queued') };
}
