import type { AgentConnection } from '../agent/agent-connection.ts';
import { offersUnstable, requestUnstable } from '../agent/unstable/unstable-request.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { PromptQueue } from './queue/prompt-queue.ts';
import type { AgentRun, WantedSession } from './run/agent-run.ts';
import { NotesWriter, type AgentMarks, type SessionNotes } from './session-notes.ts';

/** What the notes of a session need. */
export interface UserNotesOptions {
  readonly stored: { readonly key: string; readonly notes: SessionNotes; readonly store: SessionStore };
  readonly queue: () => PromptQueue;
  /** What lists show may have changed. */
  readonly onChange: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Length of a title that an agent returns. */
const titleLength = 1000;

/** What the user noted about a session: its queue, its title, and that it is archived. The agent receives the latter two, if it offers that. */
export class UserNotes {
  readonly #options: Pick<UserNotesOptions, 'queue' | 'onChange'>;
  readonly #writer: NotesWriter;
  #title: string | undefined;
  #marks: AgentMarks;
  /** Whether the queue was held when the process began to end. */
  #wasHeld: boolean | undefined;

  constructor({ stored, onFault, ...options }: UserNotesOptions) {
    this.#options = options;
    this.#writer = new NotesWriter(stored.store, stored, onFault);
    this.#title = stored.notes.title;
    this.#marks = stored.notes.agentMarks ?? {};
  }

  /** The title that the user gave the session, as its agent stored it. */
  get title(): string | undefined {
    return this.#title;
  }

  /** Writes the notes as they are now. Never rejects. */
  write(): Promise<void> {
    const { prompts, isHeld } = this.#options.queue();
    return this.#writer.write({
      queue: prompts,
      ...((this.#wasHeld ?? isHeld) && prompts.length > 0 && { isQueueHeld: true }),
      ...(this.#title !== undefined && { title: this.#title }),
      ...(Object.keys(this.#marks).length > 0 && { agentMarks: this.#marks }),
    });
  }

  /** The session ends with its process: a queue that is held only for this reason continues with the next owner. */
  end(): void {
    this.#wasHeld = this.#options.queue().isHeld;
  }

  /** Another owner writes them now. */
  leave(): void {
    this.#writer.close();
  }

  /** Something of them has changed. */
  changed(): void {
    void this.write();
    this.#options.onChange();
  }

  /** Without a title, the session has the one that it had before, and its agent is sent none. */
  retitle(title: string | undefined, run: AgentRun | undefined): void {
    this.#title = title;
    const { isTitleUnsent: _before, ...others } = this.#marks;
    this.#mark(title === undefined ? others : { ...others, isTitleUnsent: true });
    if (run !== undefined) void this.#sendTitle(run);
  }

  /** An agent has just started, and may not know the title yet. */
  sentTo(run: AgentRun): AgentRun {
    void this.#sendTitle(run);
    return run;
  }

  /** Has the agent archive the session, which it closes. Returns whether it did. Never rejects. */
  async archive(run: AgentRun): Promise<boolean> {
    const { connection } = run.agent;
    if (!offersUnstable(connection.capabilities, 'session/archive')) return false;
    try {
      await requestUnstable(connection, 'session/archive', { sessionId: run.session.id });
    } catch (error) {
      if (!connection.isOver) report(run, 'session/archive', error);
      return false;
    }
    this.#mark({ ...this.#marks, isArchived: true });
    return true;
  }

  /** An archived session is opened again: its agent may require that it is no longer archived, and may open it all the same. */
  async opened(connection: AgentConnection, wanted: WantedSession): Promise<WantedSession> {
    const { sessionId } = wanted;
    if (this.#marks.isArchived === undefined || sessionId === undefined) return wanted;
    const { isArchived: _before, ...others } = this.#marks;
    this.#mark(others);
    await requestUnstable(connection, 'session/unarchive', { sessionId }).catch(() => undefined);
    return wanted;
  }

  async #sendTitle(run: AgentRun): Promise<void> {
    const title = this.#title;
    const { connection } = run.agent;
    if (this.#marks.isTitleUnsent === undefined || title === undefined) return;
    if (!offersUnstable(connection.capabilities, 'session/set_title')) return;
    const { isTitleUnsent: _sent, ...others } = this.#marks;
    // A refusal is final: the same title is not sent at each start.
    this.#mark(others);
    try {
      const sessionId = run.session.id;
      const stored = await requestUnstable(connection, 'session/set_title', { sessionId, title });
      const text = stored.title.trim().slice(0, titleLength);
      // The user may have typed another one meanwhile.
      if (this.#title !== title || text === '' || text === title) return;
      this.#title = text;
      this.changed();
    } catch (error) {
      if (connection.isOver) this.#mark({ ...this.#marks, isTitleUnsent: true });
      else report(run, 'session/set_title', error);
    }
  }

  #mark(marks: AgentMarks): void {
    this.#marks = marks;
    this.changed();
  }
}

function report(run: AgentRun, method: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `${method}: the agent did not accept it, so only Parley has stored it: ${reason}`;
  run.append({ type: 'diagnostic', level: 'warning', code: 'not-marked', message });
}
