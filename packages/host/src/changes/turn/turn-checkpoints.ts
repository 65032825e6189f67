import type { ChangesEvent } from '../../event/changes-event.ts';
import type { HostEvent } from '../../event/host-event.ts';

/** A turn of an agent's session that is about to begin. */
export interface BeginningTurn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly cwd: string;
}

/** Takes the checkpoints around the turns of a session. No method rejects. */
export interface TurnCheckpoints {
  /** Takes a first checkpoint of a folder while the agent starts, so that the first turn need not wait for it. */
  prepare(cwd: string): void;
  /** Receives the events that decide which changed files a turn accounts for. */
  note(event: HostEvent): void;
  /** Begins a turn. Returns text to send to the agent before the prompt, if any. */
  begin(turn: BeginningTurn): Promise<{ readonly preface?: string }>;
  /** Settles when the prompt may go out: when the checkpoint before the turn is taken, or after a while. */
  beforePrompt(): Promise<void>;
  /** Settles when the agent may write through the client; undefined when it may at once. */
  beforeWrite(signal: AbortSignal): Promise<void> | undefined;
  /** Ends the turn. Returns its changes, if any. */
  end(): Promise<ChangesEvent | undefined>;
}
