import type { ChangesEvent } from '../../event/changes-event.ts';
import type { HostEvent } from '../../event/host-event.ts';

/** A turn of an agent's session that is about to begin. */
export interface BeginningTurn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly cwd: string;
}

/** The checkpoints around the turns of a session, as an agent's side of it needs them. Nothing here rejects. */
export interface TurnCheckpoints {
  /** Takes what happens: which files a turn accounts for follows from it. */
  note(event: HostEvent): void;
  /** Begins a turn. Returns what the agent is sent before the prompt, if anything. */
  begin(turn: BeginningTurn): Promise<{ readonly preface?: string }>;
  /** Settles when the prompt may go out: when the checkpoint before the turn is taken, or after a while. */
  beforePrompt(): Promise<void>;
  /** Settles when the agent may write through the client; undefined when it may at once. */
  beforeWrite(signal: AbortSignal): Promise<void> | undefined;
  /** Ends the turn. Gives what it changed, if anything. */
  end(): Promise<ChangesEvent | undefined>;
}
