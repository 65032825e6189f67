import type { ServerToolRef, ToolSpec } from '../../tool.ts';
import type { SessionChange } from '../served-agent.ts';
import type { TurnOutcome } from '../session/session-record.ts';
import type { LoggedEvent } from './logged-event.ts';

/** What a run has of its session. */
export interface RunSession {
  readonly sessionId: string;
  /** As a later turn left it. */
  readonly settings: RunSettings;
  readonly remembered: unknown;
  remember(state: unknown): Promise<void>;
  update(change: SessionChange): Promise<void>;
  /** More waits for the store than an agent that awaits backpressure could cause. */
  readonly isOverloaded: boolean;
  /** Stores an event of the running turn, and sends it. Never throws. */
  emit(event: LoggedEvent): void | Promise<void>;
  /** Hands the events that have gathered to the store. */
  flush(): void;
  /** Ends the running turn. */
  stopTurn(outcome: TurnOutcome): void;
  /** The calls that wait for the application were not answered. */
  expireCalls(): Promise<void>;
  /** The run has ended; these events were emitted while no turn was running. */
  runEnded(unsaid: readonly LoggedEvent[]): void;
}

/** How the application set the agent, secrets in plain. */
export interface RunSettings {
  readonly options: Readonly<Record<string, string>>;
  readonly serverTools: ReadonlyMap<string, ServerToolRef>;
  readonly clientTools: readonly ToolSpec[];
  /** What must not be revealed. */
  readonly secrets: readonly string[];
}
