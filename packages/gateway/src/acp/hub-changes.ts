import type { HubChanges, SettledQuestion } from '@parley/host/hub';

/** What the changes are made of. */
export interface ChangeSource {
  session(key: string): NonNullable<HubChanges['sessions']>[number] | undefined;
  readonly agents: NonNullable<HubChanges['agents']>;
  readonly questions: NonNullable<HubChanges['questions']>;
}

/** What has changed since one client was told last. However slow it is, only what has changed is held, not each change. */
export class ChangeFeed {
  readonly #source: ChangeSource;
  readonly #tell: (news: HubChanges) => Promise<void>;
  readonly #sessions = new Set<string>();
  #hasAgents = false;
  #hasQuestions = false;
  #settled: SettledQuestion[] = [];
  #isTelling = false;

  constructor(source: ChangeSource, tell: (news: HubChanges) => Promise<void>) {
    this.#source = source;
    this.#tell = tell;
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
    if (this.#isTelling) return;
    this.#isTelling = true;
    // What changes together is told together.
    setImmediate(() => void this.#tellAll());
  }

  async #tellAll(): Promise<void> {
    try {
      while (this.#sessions.size > 0 || this.#hasAgents || this.#hasQuestions) await this.#tell(this.#take());
    } catch {
      // The client is gone.
      return;
    }
    this.#isTelling = false;
  }

  #take(): HubChanges {
    const found = Array.from(this.#sessions, (key) => [key, this.#source.session(key)] as const);
    const sessions = found.flatMap(([, session]) => (session === undefined ? [] : [session]));
    const removed = found.flatMap(([key, session]) => (session === undefined ? [key] : []));
    const { agents, questions } = this.#source;
    const news = {
      ...(sessions.length > 0 && { sessions }),
      ...(removed.length > 0 && { removed }),
      ...(this.#hasAgents && { agents }),
      ...(this.#hasQuestions && { questions }),
      ...(this.#settled.length > 0 && { settled: this.#settled }),
    };
    this.#sessions.clear();
    this.#hasAgents = false;
    this.#hasQuestions = false;
    this.#settled = [];
    return news;
  }
}

/** Questions that were settled and are still to be told of; the events of their sessions tell it too. */
const mostSettled = 100;
