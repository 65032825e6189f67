import type { HubChanges, SettledQuestion } from '@parley/host/hub';

/** What the changes are made of. */
export interface ChangeSource {
  session(key: string): NonNullable<HubChanges['sessions']>[number] | undefined;
  readonly agents: NonNullable<HubChanges['agents']>;
  readonly questions: NonNullable<HubChanges['questions']>;
}

/** What has changed since one client was last notified. However slow it is, only what has changed is held, not each change. */
export class ChangeFeed {
  readonly #source: ChangeSource;
  readonly #send: (changes: HubChanges) => Promise<void>;
  readonly #sessions = new Set<string>();
  /** The agents that the client knows, as JSON by their names. */
  readonly #agents: Map<string, string>;
  /** The questions that the client knows, by their request ids. */
  #questions: ReadonlySet<string>;
  #hasAgents = false;
  #hasQuestions = false;
  #settled: SettledQuestion[] = [];
  #isSending = false;

  constructor(source: ChangeSource, send: (changes: HubChanges) => Promise<void>) {
    this.#source = source;
    this.#send = send;
    this.#agents = new Map(source.agents.map((agent) => [agent.name, JSON.stringify(agent)]));
    this.#questions = new Set(source.questions.map(({ requestId }) => requestId));
  }

  /** A session is new, has changed, or is gone. */
  session(key: string): void {
    this.#sessions.add(key);
    this.#begin();
  }

  agents(): void {
    this.#hasAgents = true;
    this.#begin();
  }

  questions(settled?: SettledQuestion): void {
    this.#hasQuestions = true;
    if (settled !== undefined) this.#settled = [...this.#settled.slice(1 - mostSettled), settled];
    this.#begin();
  }

  #begin(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    // What changes together is sent together.
    setImmediate(() => void this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#sessions.size > 0 || this.#hasAgents || this.#hasQuestions) {
        const changes = this.#take();
        if (Object.keys(changes).length > 0) await this.#send(changes);
      }
    } catch {
      // The client is gone.
      return;
    }
    this.#isSending = false;
  }

  #take(): HubChanges {
    const found = Array.from(this.#sessions, (key) => [key, this.#source.session(key)] as const);
    const sessions = found.flatMap(([, session]) => (session === undefined ? [] : [session]));
    const removed = found.flatMap(([key, session]) => (session === undefined ? [key] : []));
    const agents = this.#hasAgents ? this.#takeAgents() : [];
    const { questions, withdrawn } = this.#hasQuestions ? this.#takeQuestions() : noQuestions;
    const changes = {
      ...(sessions.length > 0 && { sessions }),
      ...(removed.length > 0 && { removed }),
      ...(agents.length > 0 && { agents }),
      ...(questions.length > 0 && { questions }),
      ...(withdrawn.length > 0 && { withdrawn }),
      ...(this.#settled.length > 0 && { settled: this.#settled }),
    };
    this.#sessions.clear();
    this.#hasAgents = false;
    this.#hasQuestions = false;
    this.#settled = [];
    return changes;
  }

  #takeAgents(): ChangeSource['agents'] {
    return this.#source.agents.filter((agent) => {
      const json = JSON.stringify(agent);
      if (this.#agents.get(agent.name) === json) return false;
      this.#agents.set(agent.name, json);
      return true;
    });
  }

  #takeQuestions(): Required<Pick<HubChanges, 'questions' | 'withdrawn'>> {
    const all = this.#source.questions;
    const known = this.#questions;
    this.#questions = new Set(all.map(({ requestId }) => requestId));
    return {
      questions: all.filter(({ requestId }) => !known.has(requestId)),
      withdrawn: [...known].filter((requestId) => !this.#questions.has(requestId)),
    };
  }
}

const noQuestions = { questions: [], withdrawn: [] };

/** Questions that were settled and are still to be sent; the events of their sessions have them too. */
const mostSettled = 100;
