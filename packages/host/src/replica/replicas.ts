import type { HubQuestion } from '../hub/hub-question.ts';
import type { HubSession } from '../hub/hub-session.ts';

/** A process that serves the sessions of a store together with others. */
export interface Replica {
  readonly id: string;
  readonly name: string;
  readonly isThis: boolean;
  /** The folders that its sessions may use. */
  readonly workspaces: readonly ReplicaWorkspace[];
  /** Agent processes it may run, and those it runs. */
  readonly slots: number;
  readonly taken: number;
  /** When it joined, in milliseconds since 1970. */
  readonly since: number;
}

/** A replica whose lease expired: it was killed, is frozen, or does not reach the store. */
export interface SilentReplica extends Replica {
  /** When it expired, in milliseconds since 1970. */
  readonly silentSince: number;
}

/** A folder that the sessions of a replica may use. */
export interface ReplicaWorkspace {
  /** The name of a folder that several machines share. @default only this machine has it */
  readonly name?: string;
  /** Its real path on the machine of the replica. */
  readonly folder: string;
}

/** Where a session is, as the store says. */
export interface SessionLocation {
  /** The live replica that owns it. */
  readonly owner?: { readonly id: string; readonly name: string; readonly isThis: boolean };
  /** The session's folder on this machine; undefined where this replica does not have it. */
  readonly folder?: string;
  /** The replicas that have its folder. */
  readonly replicas: readonly Replica[];
  /** The name of the folder in messages: the name of its workspace, or a path. */
  readonly folderName: string;
  /** An earlier owner has ended without releasing it. */
  readonly isOrphaned: boolean;
}

/** What a client asks of a session, or of a replica, as it is stored for the process that does it. */
export interface ReplicaCommand {
  /** A command with an id that the store has already is not stored again. */
  readonly id: string;
  /** The session; empty for a command to a replica. */
  readonly key: string;
  /** The id of the replica that has to do it, for a command without a session. @default the owner of the session */
  readonly target?: string;
  /** JSON. */
  readonly body: unknown;
  /** Whether the body may contain a secret: a store that cannot encrypt it refuses the command. */
  readonly hasSecret: boolean;
}

/** A command that this replica has to do. */
export interface TakenCommand extends Omit<ReplicaCommand, 'hasSecret'> {
  /** Another replica took it, and ended before it was done: what it did is unknown. */
  readonly isRetaken: boolean;
  /** Aborted when the sender wants no result any more, or the session was lost. */
  readonly signal: AbortSignal;
}

/** What came of a command. */
export type CommandOutcome = { readonly result: unknown } | { readonly error: CommandError };

/** Why a command was rejected, as JSON-RPC says it. */
export interface CommandError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What clients of other replicas are shown of a session. */
export interface SharedSession {
  readonly session: HubSession;
  readonly questions: readonly HubQuestion[];
}

/** The same, from the replica that owns the session. */
export interface SharedElsewhere extends SharedSession {
  /** The name of the replica. */
  readonly replica: string;
}

/** The process that joins, as the others reach it. */
export interface ReplicaMember {
  readonly workspaces: readonly ReplicaWorkspace[];
  readonly slots: number;
  /** Agent processes that run. */
  taken(): number;
  /** Does a command. Never rejects. */
  perform(command: TakenCommand): Promise<CommandOutcome>;
  /** Whether commands to a session that this process owns are for it: not while it only appends that no machine can run it. @default true */
  isRunnable?(key: string): boolean;
  /** A session has no live owner, and something to do: commands wait, or its owner ended in the middle. */
  isWanted(key: string): void;
  /** Another replica has taken a session over: everything that runs for it has to end. */
  isLost(key: string): void;
  /** What is shown of a session elsewhere has changed; without a key, the replicas. */
  onChange(key?: string): void;
  onFault(error: unknown): void;
}

/** The processes that serve the sessions of a store together: who owns what, and commands from one to another. */
export interface Replicas {
  /** Those that are alive, as far as this process knows; this one is the first. */
  readonly all: readonly Replica[];
  /** Those that left without saying so during the last day, unless they have come back under the same name. */
  readonly silent: readonly SilentReplica[];
  /** Counts, for metrics. */
  readonly counts: { readonly leaseChanges: number; readonly commandsWaiting: number };
  /** Begins to serve. */
  join(member: ReplicaMember): Promise<void>;
  /** Where a session is; undefined where there is none. */
  locate(key: string): Promise<SessionLocation | undefined>;
  /** Makes this process the owner of a session that has no live one. Its commands come here from now on. */
  reserve(key: string): Promise<boolean>;
  /** Ends the reservation of a session whose event log is not open here. */
  release(key: string): Promise<void>;
  /** Makes another replica the owner of a session whose event log is not open here, and of its commands; false where a third one has it by now. */
  handTo(key: string, replica: string): Promise<boolean>;
  /** Stores a command, and waits for what comes of it. @throws {HostError} `failed`: it may contain a secret, and the store has no key. */
  send(command: ReplicaCommand, options: { readonly signal: AbortSignal }): Promise<CommandOutcome>;
  /** Stores a command, and does not wait. */
  post(command: ReplicaCommand): Promise<void>;
  /** Does the commands of a session that this process owns. */
  take(key: string): Promise<void>;
  /** Shows a session of this process to the clients of others; undefined where it is at rest. */
  share(key: string, shared: SharedSession | undefined): void;
  /** What another replica shows of a session that it owns. */
  sharedOf(key: string): SharedElsewhere | undefined;
  /** All that other replicas show. */
  readonly shared: ReadonlyMap<string, SharedElsewhere>;
  /** Takes no commands any more: other replicas do them when they have the sessions. */
  stop(): void;
}
