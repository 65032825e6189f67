import type { ContentBlock } from '@parley/acp';
import type {
  ChangesEvent,
  ClientName,
  DiagnosticEvent,
  ElicitationEvent,
  HeldBy,
  HostEvent,
  NetworkEvent,
  PermissionEvent,
  PermissionRequestEvent,
  SessionWorktree,
  SteeringOutcome,
  UpdateEvent,
} from '@parley/host';

/** The session a run talks in. */
export interface ShownSession {
  readonly sessionId: string;
  readonly agent: { readonly name: string; readonly version: string };
  readonly protocolVersion: number;
  readonly cwd: string;
  readonly worktree?: SessionWorktree;
  readonly sandbox?: HeldBy;
}

/** How a run ended: with a stop reason of the agent, or with an error. */
export interface Outcome {
  readonly stopReason?: string;
  readonly error?: { readonly code: string | number; readonly message: string; readonly data?: unknown };
  readonly usage?: unknown;
  readonly exitStatus: number;
}

/** What happens in a turn, as far as it is shown. */
export type ShownEvent =
  | UpdateEvent
  | PermissionRequestEvent
  | PermissionEvent
  | ElicitationEvent
  | ChangesEvent
  | NetworkEvent
  | ShownPrompt
  | ShownSteering
  | Warning;

/** A prompt of a session that has several clients. */
export interface ShownPrompt {
  readonly type: 'prompt';
  /** The number of its turn, from 1. */
  readonly turn: number;
  readonly content: readonly ContentBlock[];
  /** The client that sent it. */
  readonly client?: ClientName;
  /** The name of the token that it was sent with. */
  readonly token?: string;
}

/** Text that was sent while a turn of such a session ran, once it is known what became of it. */
export interface ShownSteering extends Omit<ShownPrompt, 'type'> {
  readonly type: 'steering';
  readonly outcome: SteeringOutcome;
}

const shown: ReadonlySet<string> = new Set<ShownEvent['type']>([
  'update',
  'permission-request',
  'permission',
  'elicitation',
  'changes',
  'network',
  'diagnostic',
]);

/** Whether an event is shown by itself; the others are for the event log, or part of what the agent says. */
export function isShown(
  event: HostEvent,
): event is Extract<HostEvent, { readonly type: Exclude<ShownEvent['type'], 'steering'> }> {
  return shown.has(event.type);
}

/** Something odd; the host's, or our own about a configuration. */
export interface Warning {
  readonly type: 'diagnostic';
  readonly level: DiagnosticEvent['level'];
  readonly code: string;
  readonly message: string;
}

/** One format of `parley run`. */
export interface Output {
  session(info: ShownSession): void;
  /** A promise asks the agent to wait: the reader of standard output is behind. */
  event(event: ShownEvent): Promise<void> | undefined;
  /** Finishes what is being written, as something else is about to be shown on the same screen. */
  makeRoom(): Promise<void>;
  /** The turn has ended: what has waited for that may be written while the agent is being ended. @default it waits for `stop` */
  turnEnded?(): void;
  /** The last thing that is written. */
  stop(outcome: Outcome): Promise<void>;
}
