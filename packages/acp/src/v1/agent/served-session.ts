import { Turn } from '../turn.ts';

/** A session on an agent's connection. */
export class ServedSession {
  #turns: Set<Turn> = noTurns;
  #phase: 'opening' | 'open' | 'closing' | 'subagent' = 'opening';
  #subagents: Set<string> = noSubagents;
  #replays = 0;
  #resumes = 0;
  #hadTurn = false;
  #onIdle: (() => void)[] | undefined;

  /** Whether the client may use it: not before the answer that opens it, nor once it is on its way out. */
  get isUsable(): boolean {
    return this.#phase === 'open';
  }

  /** Whether it is a sub-agent's: then the client may cancel it, and nothing else. */
  get isSubagent(): boolean {
    return this.#phase === 'subagent';
  }

  /** Whether a prompt is not answered yet. */
  get isBusy(): boolean {
    return this.#turns.size > 0;
  }

  /** Whether updates of a turn may be sent: not between the answer to a prompt and the next, nor while it resumes. */
  get takesUpdates(): boolean {
    if (this.isBusy || this.#replays > 0) return true;
    return !this.#hadTurn && this.#resumes === 0;
  }

  /** The request that opens it succeeded. */
  admit(): void {
    this.#phase = 'open';
  }

  /** The agent announces it as the session of a sub-agent. */
  announce(): void {
    if (this.#phase === 'opening') this.#phase = 'subagent';
  }

  /** The ids of the sub-agents that the agent announced in it. */
  get subagents(): ReadonlySet<string> {
    return this.#subagents;
  }

  addSubagent(sessionId: string): void {
    if (this.#subagents === noSubagents) this.#subagents = new Set();
    this.#subagents.add(sessionId);
  }

  /** Marks that the history is being sent. Returns a function that ends this. */
  beginReplay(): () => void {
    this.#replays++;
    return () => void this.#replays--;
  }

  /** It is being resumed: the client has the history. Returns what ends that. */
  beginResume(): () => void {
    this.#resumes++;
    return () => void this.#resumes--;
  }

  beginTurn(): Turn {
    const turn = new Turn();
    if (this.#turns === noTurns) this.#turns = new Set();
    this.#turns.add(turn);
    this.#hadTurn = true;
    return turn;
  }

  endTurn(turn: Turn): void {
    turn.end();
    this.#turns.delete(turn);
    if (this.isBusy || this.#onIdle === undefined) return;
    const waiting = this.#onIdle;
    this.#onIdle = undefined;
    for (const resolve of waiting) resolve();
  }

  /** Cancels what runs. The prompts are answered when their handlers have come to an end. */
  cancel(): void {
    for (const turn of this.#turns) turn.cancel();
  }

  /** Cancels what runs, and waits for its end. ACP v1, Session Setup: to close is first of all to cancel. */
  async beginClose(): Promise<void> {
    this.#phase = 'closing';
    this.cancel();
    if (!this.isBusy) return;
    await new Promise<void>((resolve) => {
      this.#onIdle ??= [];
      this.#onIdle.push(resolve);
    });
  }

  /** It could not be closed, and stays open. */
  abandonClose(): void {
    this.#phase = 'open';
  }
}

/** Shared by all sessions that have no sub-agents. */
const noSubagents: Set<string> = new Set();

/** Shared by all sessions that have had no turn. */
const noTurns: Set<Turn> = new Set();
