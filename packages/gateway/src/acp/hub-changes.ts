import type { HubChanges, SettledQuestion } from '@parley/host/hub';

/** The events from which changes of lists are collected. */
export interface ChangeSource {
  session(key: string): NonNullable<HubChanges['sessions']>[number] | undefined;
  readonly agents: NonNullable<HubChanges['agents']>;
  readonly questions: NonNullable<HubChanges['questions']>;
  readonly marks: NonNullable<HubChanges['marks']>;
  readonly machines: NonNullable<HubChanges['machines']>;
}

/**
 * Collects the changes since a client was last notified. For a slow client, it stores what has changed, not each
 * change.
 */
export class ChangeFeed {
  readonly #source: ChangeSource;
  readonly #send: (changes: HubChanges) => Promise<void>;
  readonly #sessions = new Set<string>();
  /** The agents that the client knows, as JSON by their names. */
  readonly #agents: Map<string, string>;
  /** The questions that the client knows, by their request ids. */
  #questions: ReadonlySet<string>;
  /** The machines that the client knows, as JSON. */
  #machines: string;
  #hasAgents = false;
  #hasQuestions = false;
  #hasWorktrees = false;
  #hasMarks = false;
  #hasMachines = false;
  #settled: SettledQuestion[] = [];
  #isSending = false;

  constructor(source: ChangeSource, send: (changes: HubChanges) => Promise<void>) {
    this.#source = source;
    this.#send = send;
    this.#agents = new Map(source.agents.map((agent) => [agent.name, JSON.stringify(agent)]));
    this.#questions = new Set(source.questions.map(({ requestId }) => requestId));
    this.#machines = JSON.stringify(source.machines);
  }

  /** A session was created, changed or deleted. */
  session(key: string): void {
    this.#sessions.add(key);
    this.#begin();
  }

  agents(): void {
    this.#hasAgents = true;
    this.#begin();
  }

  marks(): void {
    this.#hasMarks = true;
    this.#begin();
  }

  worktrees(): void {
    this.#hasWorktrees = true;
    this.#begin();
  }

  machines(): void {
    this.#hasMachines = true;
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
      while (this.#hasChanges) {
        const changes = this.#take();
        if (Object.keys(changes).length > 0) await this.#send(changes);
      }
    } catch {
      // The client has disconnected.
      return;
    }
    this.#isSending = false;
  }

  get #hasChanges(): boolean {
    const hasLists = this.#hasAgents || this.#hasQuestions || this.#hasMachines;
    return this.#sessions.size > 0 || hasLists || this.#hasWorktrees || this.#hasMarks;
  }

  #take(): HubChanges {
    const found = Array.from(this.#sessions, (key) => [key, this.#source.session(key)] as const);
    const sessions = found.flatMap(([, session]) => (session === undefined ? [] : [session]));
    const removed = found.flatMap(([key, session]) => (session === undefined ? [key] : []));
    const { agents, removedAgents } = this.#hasAgents ? this.#takeAgents() : noAgents;
    const { questions, withdrawn } = this.#hasQuestions ? this.#takeQuestions() : noQuestions;
    const changes = {
      ...(sessions.length > 0 && { sessions }),
      ...(removed.length > 0 && { removed }),
      ...(agents.length > 0 && { agents }),
      ...(removedAgents.length > 0 && { removedAgents }),
      ...(questions.length > 0 && { questions }),
      ...(withdrawn.length > 0 && { withdrawn }),
      ...(this.#settled.length > 0 && { settled: this.#settled }),
      ...(this.#hasWorktrees && { worktrees: true as const }),
      ...(this.#hasMarks && { marks: this.#source.marks }),
      ...(this.#hasMachines && this.#takeMachines()),
    };
    this.#sessions.clear();
    this.#hasAgents = false;
    this.#hasQuestions = false;
    this.#hasWorktrees = false;
    this.#hasMarks = false;
    this.#hasMachines = false;
    this.#settled = [];
    return changes;
  }

  #takeAgents(): Required<Pick<HubChanges, 'agents' | 'removedAgents'>> {
    const all = this.#source.agents;
    const names = new Set(all.map(({ name }) => name));
    const removedAgents = [...this.#agents.keys()].filter((name) => !names.has(name));
    for (const name of removedAgents) this.#agents.delete(name);
    const agents = all.filter((agent) => {
      const json = JSON.stringify(agent);
      if (this.#agents.get(agent.name) === json) return false;
      this.#agents.set(agent.name, json);
      return true;
    });
    return { agents, removedAgents };
  }

  #takeMachines(): Pick<HubChanges, 'machines'> {
    const { machines } = this.#source;
    const json = JSON.stringify(machines);
    if (json === this.#machines) return {};
    this.#machines = json;
    return { machines };
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

const noAgents = { agents: [], removedAgents: [] };

const noQuestions = { questions: [], withdrawn: [] };

/** Settled questions that wait to be sent; the events of their sessions contain them too. */
const mostSettled = 100;
