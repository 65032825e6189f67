import type { AgentStartingEvent, StderrEvent } from './agent-event.ts';
import type { ChangesOperationEvent } from './changes-event.ts';
import type { HostEvent } from './host-event.ts';
import type {
  SessionNotOpenedEvent,
  SessionOpeningEvent,
  SessionPhaseEvent,
  SessionWorktree,
  UpdateEvent,
} from './session-event.ts';

/** One event of a session, as its event log keeps it. */
export type LoggedEvent = EventStamp & LoggedEntry;

/** What each {@link LoggedEvent} has. */
export interface EventStamp {
  /** Its number, from 1 and without a gap. */
  readonly seq: number;
  /** When it was written, in milliseconds since 1970. */
  readonly time: number;
}

/**
 * What an event log keeps. What an agent writes to standard error is not kept: it is the agent's own log, with unknown
 * content. Nor is what the other events contain as well: that an agent is starting or opening a session, and the state of one.
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
      | SessionPhaseEvent
    >;

/** The first event of an event log. */
export interface EventLogStart {
  readonly type: 'journal-start';
  /** Names the session on this side, regardless of the agent's name for it. */
  readonly key: string;
  /** What the agent is called here. */
  readonly agent: string;
  /** Of the command line and the key, for an agent that has no name of its own. */
  readonly commandLineHash?: string;
  readonly cwd: string;
  /** The program that keeps the event log, and its version. */
  readonly program: string;
  /** Which application protocol the session was begun over. @default a client of the hub, or a command, began it */
  readonly origin?: 'aap';
  /** Whose session it is. @default only those see it who see all */
  readonly owner?: { readonly tokenId: string };
  /** The git worktree that it works in. @default the folder is no worktree of ours */
  readonly worktree?: SessionWorktree;
}

/** An update of the session's, without what can be made of it again. */
export interface LoggedUpdate {
  readonly type: 'update';
  /** The update exactly as it came. */
  readonly update: unknown;
  /** What the agent said beside it, in the params' own `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Part of a turn that had ended already. */
  readonly late?: true;
  /** Part of a history that was replayed. */
  readonly replay?: true;
  /** The text deltas of an AAP turn that this update holds, in place of an `aap` event. */
  readonly aap?: AapDeltas;
}

/** The text deltas of an AAP turn that one update holds. */
export interface AapDeltas {
  readonly turnId: string;
  /** The number of the first among the turn's events. */
  readonly from: number;
  /** How many characters each of them has. @default there is one */
  readonly lengths?: readonly number[];
}

/**
 * What the AAP server stores of a session that was begun over AAP, beside the events of its agent. Its text deltas are not among
 * it: they are in the updates.
 */
export interface AapEvent {
  readonly type: 'aap';
  /** What lists of the AAP server show of the session from here on. @default as before */
  readonly head?: unknown;
  readonly records: readonly unknown[];
}

/**
 * What was in flight has no end in the event log: its writer was ended, or could not write before it was. The outcome is
 * unknown.
 */
export interface Interruption {
  readonly type: 'interruption';
  /** The turn that has no end. */
  readonly turnId?: string;
  /** What of the event log itself was lost: bytes behind the last whole line, and damaged lines within. */
  readonly lostBytes: number;
  readonly damagedLines: number;
}

/** Events that are not stored: one that was too large, or those that came while the disk was full and too much waited. */
export interface Omission {
  readonly type: 'omission';
  /** The type of the last one. */
  readonly of: string;
  /** How many there are, up to this number. @default 1 */
  readonly count?: number;
}

/** An event of a kind that this version does not know. */
export interface UnknownEntry {
  readonly type: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}
