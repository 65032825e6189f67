import type { SandboxChoice } from '../sandbox/sandbox-settings.ts';
import type { AgentStartingEvent, StderrEvent } from './agent-event.ts';
import type { ChangesOperationEvent } from './changes-event.ts';
import type { HostEvent } from './host-event.ts';
import type {
  SessionNotOpenedEvent,
  SessionOpeningEvent,
  SessionLostEvent,
  SessionWorktree,
  UpdateEvent,
} from './session-event.ts';

/** One event of a session, as stored in its event log. */
export type LoggedEvent = EventStamp & LoggedEntry;

/** The common fields of all {@link LoggedEvent}s. */
export interface EventStamp {
  /** The number, from 1 and without gaps. */
  readonly seq: number;
  /** The time of writing, in milliseconds since 1970. */
  readonly time: number;
}

/**
 * The contents of an event log. An agent's standard error is not stored: it is the agent's own log, with unknown
 * content. Events that only repeat others are not stored either: that an agent is starting or opening a session, and
 * the state of a session.
 */
export type LoggedEntry =
  | EventLogStart
  | LoggedUpdate
  | AapEvent
  | ChangesOperationEvent
  | Interruption
  | Omission
  | UnknownEntry
  | Exclude<
      HostEvent,
      | UpdateEvent
      | StderrEvent
      | AgentStartingEvent
      | SessionOpeningEvent
      | SessionNotOpenedEvent
      | SessionLostEvent
    >;

/** The first event of an event log. */
export interface EventLogStart {
  readonly type: 'journal-start';
  /** Identifies the session on this side, regardless of the agent's id for it. */
  readonly key: string;
  /** The configured name of the agent. */
  readonly agent: string;
  /** Hash of the command line and the key, for an agent without a configured name. */
  readonly commandLineHash?: string;
  readonly cwd: string;
  /** The program that writes the event log, and its version. */
  readonly program: string;
  /** The application protocol of the session. @default a client of the hub, or a command, started it */
  readonly origin?: 'aap';
  /** The owner of the session. @default visible only to clients that see all sessions */
  readonly owner?: { readonly tokenId: string };
  /** The key of the session that this one is a delegate of. @default it is none */
  readonly parent?: string;
  /** Agents that the session may delegate to. @default none */
  readonly team?: readonly string[];
  /** The git worktree of the session. @default the folder is not one of Parley's worktrees */
  readonly worktree?: SessionWorktree;
  /** The sandbox that a user chose for the session. @default as it is configured */
  readonly sandbox?: SandboxChoice;
}

/** An update of the session, without redundant fields. */
export interface LoggedUpdate {
  readonly type: 'update';
  /** The unmodified update. */
  readonly update: unknown;
  /** The id of the sub-agent's session, for an event of a sub-agent. @default the session itself */
  readonly subagent?: string;
  /** The `_meta` of the params, next to the update. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Set for updates of a turn that had already ended. */
  readonly late?: true;
  /** Set for updates of a replayed history. */
  readonly replay?: true;
  /** The text deltas of an AAP turn in this update, in place of an `aap` event. */
  readonly aap?: AapDeltas;
}

/** The text deltas of an AAP turn in one update. */
export interface AapDeltas {
  readonly turnId: string;
  /** The number of the first one among the turn's events. */
  readonly from: number;
  /** The number of characters of each. @default there is one */
  readonly lengths?: readonly number[];
}

/**
 * Data of the AAP server about a session, in addition to the events of its agent. Text deltas are part of the
 * updates.
 */
export interface AapEvent {
  readonly type: 'aap';
  /** The fields in lists of the AAP server, from here on. @default unchanged */
  readonly head?: unknown;
  readonly records: readonly unknown[];
}

/**
 * The event log ended within an operation: its writer was killed, or could not write before. The outcome of running
 * operations is unknown.
 */
export interface Interruption {
  readonly type: 'interruption';
  /** The turn without an end. */
  readonly turnId?: string;
  /** Lost parts of the event log: bytes after the last complete line, and damaged lines. */
  readonly lostBytes: number;
  readonly damagedLines: number;
}

/** Events that are not stored: one was too large, or too many waited while the disk was full. */
export interface Omission {
  readonly type: 'omission';
  /** The type of the last one. */
  readonly of: string;
  /** The number of omitted events, up to this one. @default 1 */
  readonly count?: number;
}

/** An event of a kind that this version does not know. */
export interface UnknownEntry {
  readonly type: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}
