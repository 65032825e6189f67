import type { ContentBlock } from '@parley/acp';
import type { AnswerScope, RuleScope } from '@parley/workspace/rule';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { HubAgent } from './hub-agent.ts';
import type { HubFrame } from './hub-frame.ts';
import type { HubAnswer, HubQuestion } from './hub-question.ts';
import type { HubSession } from './hub-session.ts';

/**
 * What a client of the hub can ask for beside the methods of ACP. Towards its clients the hub is an agent, whose sessions
 * are those of all agents: `session/new` with {@link NewSessionMeta} begins one, `session/resume` opens one again,
 * `session/prompt` waits while another turn runs. What happens in a session comes as events instead of updates.
 */
export const hubMethods = {
  /** Request, {@link AttendParams}: the state of the hub; from then on {@link HubChanges}. */
  attend: '_parley/attend',
  /** Request, {@link WatchParams}: from then on `events` of a session, until `unwatch` or the end of the connection. */
  watch: '_parley/watch',
  /** Request, {@link SessionParams}. */
  unwatch: '_parley/unwatch',
  /** Request, {@link SessionParams}: from then on `frames`, those that are kept first, until `unwatchFrames`. */
  watchFrames: '_parley/watch_frames',
  /** Request, {@link SessionParams}. */
  unwatchFrames: '_parley/unwatch_frames',
  /** Request, {@link SessionParams}: a session of its own that begins as this one is; as ACP's draft has it. */
  fork: 'session/fork',
  /** Request, {@link AnswerParams}. Refused with -32002 when another client has answered. */
  answer: '_parley/answer',
  /** Request, {@link QueueParams}. */
  queue: '_parley/queue',
  /** Request, {@link RenameParams}. */
  rename: '_parley/rename',
  /** Request, {@link CancelParams}: settles when the turn has ended. */
  cancel: '_parley/cancel',
  /** Request, {@link SessionParams}: restarts an agent that ended, and resumes the session. */
  restart: '_parley/restart',
  /** Request, {@link SignInParams}. */
  signIn: '_parley/sign_in',
  /** Request, no params: the remembered answers, {@link AnswersResult}. */
  answers: '_parley/answers',
  /** Request, {@link RevokeParams}: a remembered answer stops applying at the next request. */
  revoke: '_parley/revoke',
  /** Request, {@link SessionParams}: what turns changed, a `ChangesList`. */
  listChanges: '_parley/changes/list',
  /** Request, `DiffParams`: a `ChangesDiff`. */
  diffChanges: '_parley/changes/diff',
  /** Request, `ContentParams`: a `ChangedContent`. */
  changedContent: '_parley/changes/content',
  /** Request, `UndoParams`: a `RestoreResult`. */
  undoChanges: '_parley/changes/undo',
  /** Request, `RedoParams`: a `RestoreResult`. */
  redoChanges: '_parley/changes/redo',
  /** Request, `HunksParams`: a `HunksResult`. */
  keepHunks: '_parley/changes/keep',
  /** Request, `HunksParams`: a `HunksResult`. */
  revertHunks: '_parley/changes/revert',
  /** Request, `CommitParams`: a `CommitResult`. */
  commitChanges: '_parley/changes/commit',
  /** Notification to the client, a `HubChanges`. */
  update: '_parley/update',
  /** Notification to the client, {@link EventsNote}. */
  events: '_parley/events',
  /** Notification to the client, {@link FramesNote}. */
  frames: '_parley/frames',
  /** Notification to the client, {@link TerminalNote}: what a command wrote, of sessions that are watched. */
  terminal: '_parley/terminal',
  /** Notification to the client, {@link LogNote}: what an agent wrote to standard error, of sessions that are watched. */
  log: '_parley/log',
} as const;

/** The `_meta` of `session/new`. */
export interface NewSessionMeta {
  readonly 'parley/agent'?: string;
  /** A mode and options that are set as soon as the session is open. */
  readonly 'parley/mode'?: string;
  readonly 'parley/options'?: Readonly<Record<string, string | boolean>>;
  /** It works in a git worktree of the folder's repository. @default in the folder itself */
  readonly 'parley/worktree'?: NewSessionWorktree;
  /** What needs a user until the session is open is refused while no client is connected that may answer. @default it waits */
  readonly 'parley/unattended'?: boolean;
}

/** The worktree of a new session. */
export interface NewSessionWorktree {
  /** One that exists goes on, where no session runs in it. @default a new one, with a name that the hub makes */
  readonly name?: string;
  /** The commit that a new one begins from, as git names it. @default HEAD */
  readonly base?: string;
  /** Whether a new one has the uncommitted changes of the folder. @default false */
  readonly withChanges?: boolean;
}

/** The `_meta` of `session/prompt`. */
export interface PromptMeta {
  /** Identifies the prompt in the queue and in the events of its turn. @default one that the hub makes */
  readonly 'parley/promptId'?: string;
  /** What needs a user in this turn is rejected while no client is connected that may answer. @default it waits */
  readonly 'parley/unattended'?: boolean;
  /**
   * It goes at once where no turn runs, also while the prompts before it are held: for a client that cannot resume the queue.
   * @default it waits behind them
   */
  readonly 'parley/passesHeld'?: boolean;
}

/**
 * In the `_meta` of `clientCapabilities`, of `session/update`, and of the responses to `session/load` and `session/resume`: a client that says
 * `true` is sent the number of each event, with its last update.
 */
export const eventNumber = 'parley/eventNumber';

/** The `_meta` of `session/resume`: the client is sent what has happened since it was connected last. */
export interface ResumeMeta {
  readonly 'parley/received'?: ReceivedUpdates;
  /** The ids of prompts that the client has sent: it is not sent those. */
  readonly 'parley/ownPrompts'?: readonly string[];
}

/** What a client has received of a session. */
export interface ReceivedUpdates {
  /** The number of the last event of which it has all updates. */
  readonly event: number;
  /** How many updates it has received since. */
  readonly updates: number;
}

/** How a client attends. */
export interface AttendParams {
  /** Whether it shows questions to a user, who may answer them: those of all sessions, or of those that it watches. @default true */
  readonly answers?: boolean | 'watched';
}

/** What `attend` answers. */
export interface AttendResult {
  readonly sessions: readonly HubSession[];
  readonly agents: readonly HubAgent[];
  readonly questions: readonly HubQuestion[];
  /** The folders that sessions may use, by their real paths. */
  readonly workspaces: readonly string[];
  /** Who the client is, as others see it when it answers a question. */
  readonly person: string;
  /** What its token is for: `admin` everything, `use` sessions of its own, `observe` looking at all of them. */
  readonly scope: 'admin' | 'use' | 'observe';
  readonly version: string;
}

/** What names a session. */
export interface SessionParams {
  /** The session's key. */
  readonly sessionId: string;
}

/** Which events of a session are wanted. */
export interface WatchParams extends SessionParams {
  /** The number of the last event that is known already. @default none is */
  readonly after?: number;
}

/** Events of a session, in their order. */
export interface EventsNote extends SessionParams {
  readonly events: readonly LoggedEvent[];
  /** All that were there when it was asked for have been sent. */
  readonly isCaughtUp: boolean;
}

/** Frames of a session, in their order. */
export interface FramesNote extends SessionParams {
  readonly frames: readonly HubFrame[];
}

/** What a command that still runs wrote. */
export interface TerminalNote extends SessionParams {
  readonly terminalId: string;
  /** What is shown goes on with it, or is replaced by it. */
  readonly text: string;
  readonly isWhole?: true;
}

/** What an agent wrote to standard error. */
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

/** What becomes of a queued prompt, or of all. */
export type QueueChange =
  | { readonly kind: 'edit'; readonly id: string; readonly blocks: readonly ContentBlock[] }
  /** Its place, from 0. */
  | { readonly kind: 'move'; readonly id: string; readonly to: number }
  | { readonly kind: 'remove'; readonly id: string }
  /** The turn that runs is cancelled, and this one goes next; the others wait as they did. */
  | { readonly kind: 'send-now'; readonly id: string }
  /** A queue that is held goes on. */
  | { readonly kind: 'go-on' };

/** The title that the user gives a session; without one, the title before it. */
export interface RenameParams extends SessionParams {
  readonly title?: string;
}

/** How a turn is cancelled. */
export interface CancelParams extends SessionParams {
  /** How long the agent may take to end the turn before it is ended itself. @default 5000 */
  readonly graceMs?: number;
}

/** Signs in to an agent outside of a session. */
export interface SignInParams {
  readonly agent: string;
  readonly methodId: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** What `answers` answers. */
export interface AnswersResult {
  readonly answers: readonly ListedAnswer[];
}

/** A remembered answer that counts. */
export interface ListedAnswer {
  readonly id: string;
  readonly decision: 'allow' | 'deny';
  readonly scope: AnswerScope;
  /** The rule it makes, in words, without its decision. */
  readonly about: string;
  /** The same, for words of another language. */
  readonly rule?: RuleScope;
  /** The folder of the project, for an answer that counts there. */
  readonly project?: string;
  /** What the agent calls the session, for an answer that counts there. */
  readonly session?: string;
  /** In milliseconds since 1970. */
  readonly time: number;
}

/** Which remembered answer is revoked. */
export interface RevokeParams {
  readonly id: string;
}
