import type { ServerToolRef, ToolSpec } from '../../tool.ts';
import type { AapSessionChange } from '../served-agent.ts';
import type { AapTurnOutcome } from '../session/aap-session-record.ts';
import type { LoggedTurnEvent } from './logged-turn-event.ts';

/** What a run has of its session. */
export interface RunSession {
  readonly sessionId: string;
  /** As a later turn left it. */
  readonly settings: RunSettings;
  readonly remembered: unknown;
  remember(state: unknown): Promise<void>;
  update(change: AapSessionChange): Promise<void>;
  /** More waits for the store than an agent that awaits backpressure could cause. */
  readonly isOverloaded: boolean;
  /** Stores an event of the running turn, and sends it. Never throws. */
  emit(event: LoggedTurnEvent): void | Promise<void>;
  /** Hands the events that have gathered to the store. */
  flush(): void;
  /** Ends the running turn. */
  stopTurn(outcome: AapTurnOutcome): void;
  /** The calls that wait for the application were not answered. */
  expireCalls(): Promise<void>;
  /** The run has ended; these events were emitted while no turn was running. */
  runEnded(unsaid: readonly LoggedTurnEvent[]): void;
}

/** How the application set the agent, secrets in plain. */
export interface RunSettings {
  readonly options: Readonly<Record<string, string>>;
  readonly serverTools: ReadonlyMap<string, ServerToolRef>;
  readonly clientTools: readonly ToolSpec[];
  /** What must not be revealed. */
  readonly secrets: readonly string[];
}
