import type { Choices } from './chaos-options.ts';
import type { ChaosReplica } from './chaos-replica.ts';

/** What a user of a run works with. */
export interface ChaosUserOptions {
  readonly token: string;
  readonly cwd: string;
  /** Sessions of its own. */
  readonly sessions: number;
  /** The replica to connect to next. */
  readonly choose: () => ChaosReplica;
}

/** A prompt, with the number of side effects that its turn has. */
export interface SentPrompt {
  readonly id: string;
  readonly key: string;
  readonly steps: number;
  /** `ended`, else why it was rejected; undefined while it has no response. */
  outcome?: string;
}

/** A user who works in sessions of its own while replicas are disturbed. */
export interface ChaosUser {
  readonly prompts: readonly SentPrompt[];
  /** Begins its sessions. */
  begin(): Promise<void>;
  /** Sends prompts until it is over. Settles when all of them have a response. */
  work(isOver: () => boolean, choices: Choices): Promise<void>;
  /** Leaves a replica, if it is there, for another one. */
  leave(replica: ChaosReplica): void;
  end(): Promise<void>;
}
