import type { ContentBlock } from '@parley/acp';
import type { AnswerScope, RuleScope } from '@parley/workspace/rule';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { SteeringOutcome } from '../event/steering-event.ts';
import type { SandboxChoice } from '../sandbox/sandbox-settings.ts';
import type { HubAgent } from './hub-agent.ts';
import type { HubFrame } from './hub-frame.ts';
import type { HubMachine } from './hub-machine.ts';
import type { HubAnswer, HubQuestion } from './hub-question.ts';
import type { HubSession } from './hub-session.ts';
import type { MarkedSessions } from './session-marks.ts';

/**
 * Methods of the hub in addition to those of ACP. For its clients, the hub is an agent with the sessions of all
 * agents: `session/new` with {@link NewSessionMeta} opens one, `session/resume` opens an existing one, and
 * `session/prompt` waits while another turn is running. Sessions report events instead of updates.
 */
export const hubMethods = {
  /** Request, {@link AttendParams}: returns the state of the hub; {@link HubChanges} follow. */
  attend: '_parley/attend',
  /** Request, {@link LookParams}: the user looks at a page that is visible, and has used it just now; or does no more. */
  look: '_parley/look',
  /** Request, {@link WatchParams}: sends `events` of a session until `unwatch` or the end of the connection. */
  watch: '_parley/watch',
  /** Request, {@link SessionParams}. */
  unwatch: '_parley/unwatch',
  /** Request, {@link SessionParams}: sends `frames`, stored ones first, until `unwatchFrames`. */
  watchFrames: '_parley/watch_frames',
  /** Request, {@link SessionParams}. */
  unwatchFrames: '_parley/unwatch_frames',
  /** Request, {@link SessionParams}: forks a session, as in ACP's draft. */
  fork: 'session/fork',
  /** Request, {@link AnswerParams}. Rejected with -32002 if another client has answered. */
  answer: '_parley/answer',
  /** Request, {@link QueueParams}. */
  queue: '_parley/queue',
  /** Request, {@link SteerParams}: sends text into the running turn, else as a prompt; {@link SteerResult}. */
  steer: '_parley/steer',
  /** Request, {@link CancelSubagentParams}: cancels the work of one sub-agent. */
  cancelSubagent: '_parley/cancel_subagent',
  /** Request, {@link RenameParams}. */
  rename: '_parley/rename',
  /** Request, `MarkParams`: pins or archives sessions for the token of the client. */
  mark: '_parley/mark',
  /** Request, {@link CancelParams}: settles when the turn has ended. */
  cancel: '_parley/cancel',
  /** Request, {@link SessionParams}: restarts an agent that has ended, and resumes the session. */
  restart: '_parley/restart',
  /** Request, {@link HandOverParams}: ends the session's agent, and settles when another machine has resumed the session. */
  handOver: '_parley/hand_over',
  /** Request, {@link SessionParams}: returns the machines that can run the session, {@link MachinesResult}. */
  machines: '_parley/machines',
  /** Request, no params: returns the remembered answers, {@link AnswersResult}. */
  answers: '_parley/answers',
  /** Request, {@link RevokeParams}: revokes a remembered answer from the next request on. */
  revoke: '_parley/revoke',
  /** Notification to the client, a `HubChanges`. */
  update: '_parley/update',
  /** Notification to the client, {@link EventsNote}. */
  events: '_parley/events',
  /** Notification to the client, {@link FramesNote}. */
  frames: '_parley/frames',
  /** Notification to the client, {@link TerminalNote}: output of a command, for watched sessions. */
  terminal: '_parley/terminal',
  /** Notification to the client, {@link LogNote}: an agent's standard error, for watched sessions. */
  log: '_parley/log',
} as const;

/** The `_meta` of `session/new`. */
export interface NewSessionMeta {
  readonly 'parley/agent'?: string;
  /** A mode and options that are set as soon as the session is open. */
  readonly 'parley/mode'?: string;
  readonly 'parley/options'?: Readonly<Record<string, string | boolean>>;
  /** The git worktree of the session. @default the folder itself */
  readonly 'parley/worktree'?: NewSessionWorktree;
  /** The sandbox of the session. Only tokens of the scope `admin` choose one that is wider. @default as configured */
  readonly 'parley/sandbox'?: SandboxChoice;
  /** The agents that the session may delegate to. @default those of the configuration */
  readonly 'parley/team'?: readonly string[];
  /**
   * Whether questions that arise before the session is open are rejected while no client is connected that can
   * answer. @default they wait
   */
  readonly 'parley/unattended'?: boolean;
}

/** The worktree of a new session. */
export interface NewSessionWorktree {
  /** An existing worktree without a running session. @default a new one with a generated name */
  readonly name?: string;
  /** The base commit of a new worktree. @default HEAD */
  readonly base?: string;
  /** Whether a new worktree contains the uncommitted changes of the folder. @default false */
  readonly withChanges?: boolean;
}

/** The `_meta` of `session/prompt`. */
export interface PromptMeta {
  /** Identifies the prompt in the queue and in the events of its turn. @default a generated id */
  readonly 'parley/promptId'?: string;
  /** Whether questions of this turn are rejected while no client is connected that can answer. @default they wait */
  readonly 'parley/unattended'?: boolean;
  /** `fail`: such a question cancels the turn. @default it is rejected, and the turn continues */
  readonly 'parley/onAsk'?: 'fail';
  /**
   * Whether the prompt is sent immediately if no turn is running, even if earlier prompts are on hold: for a client
   * that cannot resume the queue. @default it waits for them
   */
  readonly 'parley/passesHeld'?: boolean;
}

/**
 * In the `_meta` of `clientCapabilities`, of `session/update`, and of the responses to `session/load` and
 * `session/resume`: a client that sets it to `true` receives the number of each event with its last update.
 */
export const eventNumber = 'parley/eventNumber';

/**
 * In the `_meta` of `clientCapabilities`: a client that sets it to `true` gets the capabilities of agents from
 * `attend`, and an immediate response to `initialize`.
 */
export const attends = 'parley/attends';

/** The `_meta` of `session/resume`: the client receives the events since it was last connected. */
export interface ResumeMeta {
  readonly 'parley/received'?: ReceivedUpdates;
  /** The ids of the client's own prompts, which are not sent to it. */
  readonly 'parley/ownPrompts'?: readonly string[];
}

/** The updates of a session that a client has received. */
export interface ReceivedUpdates {
  /** The number of the last completely received event. */
  readonly event: number;
  /** The number of updates received since then. */
  readonly updates: number;
}

/** Options of `attend`. */
export interface AttendParams {
  /**
   * Whether the client shows questions to a user who can answer: `true` for all sessions, `watched` for those it
   * watches. @default true
   */
  readonly answers?: boolean | 'watched';
}

/** Whether the user is looking at a client. Other devices of the same token are not notified meanwhile. */
export interface LookParams {
  /** Valid for two minutes; send it again before that. */
  readonly isLooking: boolean;
}

/** The response to `attend`. */
export interface AttendResult {
  readonly sessions: readonly HubSession[];
  readonly agents: readonly HubAgent[];
  readonly questions: readonly HubQuestion[];
  /** Those of its token. */
  readonly marks: MarkedSessions;
  /** The folders that sessions may use, as real paths. */
  readonly workspaces: readonly string[];
  /** Those that serve the same sessions, the one of this connection first; none without a database. */
  readonly machines: readonly HubMachine[];
  /** The name of the client that others see when it answers a question. */
  readonly person: string;
  /**
   * The scope of its token: `admin` has full access, `use` its own sessions, `observe` read access to all sessions.
   */
  readonly scope: 'admin' | 'use' | 'observe';
  readonly version: string;
}

/** Identifies a session. */
export interface SessionParams {
  /** The session's key. */
  readonly sessionId: string;
}

/** Text for the turn that runs. */
export interface SteerParams extends SessionParams {
  readonly prompt: readonly ContentBlock[];
  readonly _meta?: PromptMeta;
}

/** The outcome of steering; an event reports the same. */
export interface SteerResult {
  readonly outcome: SteeringOutcome;
}

/** Which sub-agent is cancelled. */
export interface CancelSubagentParams extends SessionParams {
  /** The id of its session, as events name it. */
  readonly subagent: string;
}

/** The events of a session to send. */
export interface WatchParams extends SessionParams {
  /** The number of the last event that the client has. @default none */
  readonly after?: number;
}

/** Events of a session, in order. */
export interface EventsNote extends SessionParams {
  readonly events: readonly LoggedEvent[];
  /** Whether all events that existed at the time of the request have been sent. */
  readonly isCaughtUp: boolean;
}

/** Frames of a session, in order. */
export interface FramesNote extends SessionParams {
  readonly frames: readonly HubFrame[];
}

/** Output of a running command. */
export interface TerminalNote extends SessionParams {
  readonly terminalId: string;
  /** Whether the output is appended to the displayed one, or replaces it. */
  readonly text: string;
  readonly isWhole?: true;
}

/** Standard error of an agent. */
export interface LogNote extends SessionParams {
  readonly text: string;
}

/** An answer to a question. */
export interface AnswerParams extends SessionParams {
  readonly requestId: string;
  readonly answer: HubAnswer;
}

/** A change of a session's queue. */
export interface QueueParams extends SessionParams {
  readonly change: QueueChange;
}

/** The change of a queued prompt, or of the whole queue. */
export type QueueChange =
  | { readonly kind: 'edit'; readonly id: string; readonly blocks: readonly ContentBlock[] }
  /** The new position, from 0. */
  | { readonly kind: 'move'; readonly id: string; readonly to: number }
  | { readonly kind: 'remove'; readonly id: string }
  /** Cancels the running turn, and sends this prompt next; the others keep waiting. */
  | { readonly kind: 'send-now'; readonly id: string }
  /** Resumes a queue that is on hold. */
  | { readonly kind: 'go-on' };

/** The user's title of a session; without one, the previous title is restored. */
export interface RenameParams extends SessionParams {
  readonly title?: string;
}

/** Options for cancelling a turn. */
export interface CancelParams extends SessionParams {
  /** Grace period for the agent to end the turn before it is ended. @default 5000 */
  readonly graceMs?: number;
  /** The time limit of the client was reached, which answers the open questions. @default the user of the client cancels */
  readonly isForLimit?: boolean;
}

/** The response to `answers`. */
export interface AnswersResult {
  readonly answers: readonly ListedAnswer[];
}

/** A remembered answer that applies. */
export interface ListedAnswer {
  readonly id: string;
  readonly decision: 'allow' | 'deny';
  readonly scope: AnswerScope;
  /** The text of its rule, without the decision. */
  readonly about: string;
  /** The rule itself, for texts in other languages. */
  readonly rule?: RuleScope;
  /** The folder of the project, for an answer that applies to it. */
  readonly project?: string;
  /** The agent's id of the session, for an answer that applies to it. */
  readonly session?: string;
  /** In milliseconds since 1970. */
  readonly time: number;
}

/** The remembered answer to revoke. */
export interface RevokeParams {
  readonly id: string;
}

/** The params of `_parley/hand_over`. */
export interface HandOverParams extends SessionParams {
  /** The name of the machine. @default any that has the session's folder, and room */
  readonly machine?: string;
  /** Whether a running turn is stopped first. @default the request is rejected while a turn is running */
  readonly stopsTurn?: boolean;
}

/** The answer to `_parley/machines`. */
export interface MachinesResult {
  /** The live machines that have the session's folder; the hub lists all machines. */
  readonly machines: readonly string[];
  /** The session's folder: the name of its workspace and the path below it, else a path and its machine. */
  readonly folder: string;
}
