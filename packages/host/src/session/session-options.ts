import type { McpServer, Meta } from '@parley/acp';
import type { ObservedFrame } from '@parley/wire';
import type { AgentClients } from '../agent/agent-clients.ts';
import type { AgentConnection } from '../agent/agent-connection.ts';
import type { AgentSpec } from '../agent/agent-spec.ts';
import type { AuthStatus } from '../agent/unstable/auth-status.ts';
import type { DelegationOptions } from '../delegation/team.ts';
import type { EventStore } from '../event/event-store.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { SessionWorktree } from '../event/session-event.ts';
import type { FrameLog } from '../frames/frame-log.ts';
import type { SignInState } from '../hub/hub-agent.ts';
import type { HubQuestion, SettledQuestion } from '../hub/hub-question.ts';
import type { Interact } from '../interact.ts';
import type { SandboxChoice } from '../sandbox/sandbox-settings.ts';
import type { TerminalText } from './live-terminals.ts';
import type { ChosenSession, WantedSession } from './run/agent-run.ts';
import type { AskSignIn } from './run/sign-in.ts';
import type { TypedVariables } from './run/typed-variables.ts';
import type { SessionLimits } from './session-limits.ts';
import type { SessionNotes } from './session-notes.ts';
import type { SessionRuntime } from './session-runtime.ts';

/** What a session is steered with. */
export interface SessionOptions {
  readonly key: string;
  /** The name of its agent. */
  readonly agent: string;
  /** @default its agent cannot be started here */
  readonly spec?: AgentSpec;
  readonly cwd: string;
  /** The git worktree that contains the folder. @default none */
  readonly worktree?: SessionWorktree;
  /** The sandbox that a user chose for it. @default as it is configured */
  readonly sandbox?: SandboxChoice;
  /** Further folders of a new session; a stored session has them in its event log. */
  readonly additionalDirectories?: readonly string[];
  /** MCP servers for its agent. @default none */
  readonly mcpServers?: readonly McpServer[];
  /** How long its first start, and each start of a delegate, may wait for a slot. @default the limit of the pool */
  readonly slotWaitMs?: number;
  /** What the agent is sent in the `_meta` of the request that opens it. @default only the trace */
  readonly meta?: Meta;
  /** The command line of its agent, where that has no name of its own. */
  readonly commandLine?: readonly string[];
  /** The id of the token that it belongs to. @default only `admin` can use it */
  readonly owner?: string;
  /** The application protocol over which it was started. @default a client of the hub, or a command, started it */
  readonly origin?: 'aap';
  /** The key of the session that delegated work to it. @default none */
  readonly parent?: string;
  /** Opens the socket on which `mcpServers` of `wanted` reach an agent that is held. @default that of `delegation` */
  readonly toolSocket?: () => Promise<string>;
  /** The agents that its agent may delegate to. @default it may not delegate */
  readonly delegation?: DelegationOptions;
  /** Its clients, for requests of its agent. @default none */
  readonly clients?: AgentClients;
  /**
   * Chooses the session at each start of the agent, for a program whose session is known only to the agent. Such a
   * session continues without an event log if that cannot be opened. @default the session of the key, which requires
   * its event log
   */
  readonly choose?: (agent: AgentConnection) => Promise<ChosenSession>;
  /**
   * Decides which session of the agent's it continues, each time its agent was started: for a front end that stores that by itself.
   * The event log is then not read.
   * @default the one that the event log names
   */
  readonly wanted?: (agent: AgentConnection) => WantedSession | Promise<WantedSession>;
  /** The agent's id of the session, if its event log does not contain it yet. */
  readonly agentSessionId?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The title in its event log. */
  readonly title?: string;
  readonly notes: SessionNotes;
  readonly runtime: SessionRuntime;
  readonly limits: SessionLimits;
  /** The frames of its agent. @default they are not stored */
  readonly frames?: FrameLog;
  /** Sees each frame in both directions. @default nothing does */
  readonly observe?: (frame: ObservedFrame) => void;
  /** What users typed for its agent. */
  readonly variables: TypedVariables;
  /** The user whom its agent asks. @default its clients, by `questions` */
  readonly interact?: Interact;
  /** Asks the user how to sign in. @default asks its clients, through `questions` */
  readonly askSignIn?: AskSignIn;
  /** Called when the data that lists show may have changed. */
  readonly onChange?: () => void;
  /** Called when its questions changed; with the question if one was settled. */
  readonly onQuestions?: (settled?: SettledQuestion) => void;
  readonly onLog?: (text: string) => void;
  readonly onTerminal?: (text: TerminalText) => void;
  /** Its agent runs. */
  readonly onAgent?: (agent: AgentConnection) => void;
  /** Its agent reports another sign-in state. */
  readonly onAuthStatus?: (status: AuthStatus) => void;
  /** Its agent requires a sign-in, or a user has signed in. */
  readonly onSignIn?: (state: SignInState) => void;
  /** Another program has it open. */
  readonly onElsewhere?: () => void;
  /** Its event log cannot be written; it is tried again with the next event. @default a fault */
  readonly onUnstored?: (error: Error) => void;
  /**
   * Receives each event without secrets, in order, after it was appended to the event log. A returned promise makes
   * the agent wait.
   */
  readonly onEvent?: (event: HostEvent) => void | Promise<void>;
  /**
   * Whether to append an event to the event log; called right before, so that a front end can append its own first.
   * @default each event
   */
  readonly isLogged?: (event: HostEvent) => boolean;
  /** The start of its agent waits for a slot, at most so long. */
  readonly onSlotWait?: (waitMs: number) => void;
  /** Its agent is about to be ended while its turn is paused. */
  readonly onSuspend?: () => void;
  /** Its agent has ended, or did not start. */
  readonly onAgentEnd?: () => void;
  /** Called with what stores its events, when its agent is about to start. */
  readonly onStore?: (store: EventStore) => void;
  /** Whether to reject a question at once, because no client may or can answer it. @default it waits */
  readonly refuses?: (question: HubQuestion, isTurnUnattended: boolean) => boolean;
}
