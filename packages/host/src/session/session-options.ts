import type { McpServer, Meta } from '@parley/acp';
import type { ObservedFrame } from '@parley/wire';
import type { AgentClients } from '../agent/agent-clients.ts';
import type { AgentConnection } from '../agent/agent-connection.ts';
import type { AgentSpec } from '../agent/agent-spec.ts';
import type { EventStore } from '../event/event-store.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { SessionWorktree } from '../event/session-event.ts';
import type { FrameLog } from '../frames/frame-log.ts';
import type { SignInState } from '../hub/hub-agent.ts';
import type { HubQuestion, SettledQuestion } from '../hub/hub-question.ts';
import type { Interact } from '../interact.ts';
import type { ChosenSession, WantedSession } from './agent-run.ts';
import type { TerminalText } from './live-terminals.ts';
import type { SessionLimits } from './session-limits.ts';
import type { SessionNotes } from './session-notes.ts';
import type { SessionRuntime } from './session-runtime.ts';
import type { AskSignIn } from './sign-in.ts';
import type { TypedVariables } from './typed-variables.ts';

/** What a session is steered with. */
export interface SessionOptions {
  readonly key: string;
  /** The name of its agent. */
  readonly agent: string;
  /** @default its agent cannot be started here */
  readonly spec?: AgentSpec;
  readonly cwd: string;
  /** The git worktree that the folder is in. @default it is in none of ours */
  readonly worktree?: SessionWorktree;
  /** For a new one; one that is kept says it in its event log. */
  readonly additionalDirectories?: readonly string[];
  /** MCP servers that its agent is given. @default none */
  readonly mcpServers?: readonly McpServer[];
  /** How long its beginning may wait for a slot. @default as long as the pool says */
  readonly slotWaitMs?: number;
  /** What the agent is sent in the `_meta` of the request that opens it. @default only the trace */
  readonly meta?: Meta;
  /** The command line of its agent, where that has no name of its own. */
  readonly commandLine?: readonly string[];
  /** The id of the token that it belongs to. @default it belongs to `admin` only */
  readonly owner?: string;
  /** The application protocol that it was begun over. @default a client of the hub, or a command, began it */
  readonly origin?: 'aap';
  /** Its clients, as its agent reaches them. @default there are none */
  readonly clients?: AgentClients;
  /**
   * Decides which session it is, each time its agent was started for it: for a program that has a session of its own, and whose
   * agent may be the only one to know which. Such a session goes on without an event log where it cannot be opened.
   * @default the one of the key: without its event log it is not opened
   */
  readonly choose?: (agent: AgentConnection) => Promise<ChosenSession>;
  /**
   * Decides which session of the agent's it continues, each time its agent was started: for a front end that stores that by itself.
   * The event log is then not read.
   * @default the one that the event log names
   */
  readonly wanted?: (agent: AgentConnection) => WantedSession | Promise<WantedSession>;
  /** What its agent calls it, where its event log does not say it yet. */
  readonly agentSessionId?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What its event log says it is called. */
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
  /** Asks the user how to sign in. @default its clients are asked, by `questions` */
  readonly askSignIn?: AskSignIn;
  /** What lists show of it may have changed. */
  readonly onChange?: () => void;
  /** It has other questions; one may have been settled. */
  readonly onQuestions?: (settled?: SettledQuestion) => void;
  readonly onLog?: (text: string) => void;
  readonly onTerminal?: (text: TerminalText) => void;
  /** Its agent runs. */
  readonly onAgent?: (agent: AgentConnection) => void;
  /** Its agent requires a sign-in, or a user has signed in. */
  readonly onSignIn?: (state: SignInState) => void;
  /** Another program has it open. */
  readonly onElsewhere?: () => void;
  /** Its event log cannot be written; it is tried again with the next event. @default a fault */
  readonly onUnstored?: (error: Error) => void;
  /** Takes each event without secrets, in order, once it is in the event log. A promise makes the agent wait. */
  readonly onEvent?: (event: HostEvent) => void | Promise<void>;
  /** Whether an event is appended to the event log; asked right before, so that a front end can append its own first. @default each is */
  readonly isLogged?: (event: HostEvent) => boolean;
  /** The start of its agent waits for a slot, at most so long. */
  readonly onSlotWait?: (waitMs: number) => void;
  /** Its agent is about to be ended while its turn is paused. */
  readonly onSuspend?: () => void;
  /** Its agent has ended, or did not start. */
  readonly onAgentEnd?: () => void;
  /** Called with what stores its events, when its agent is about to start. */
  readonly onStore?: (store: EventStore) => void;
  /** Whether a question is refused at once, as no client may answer it, or can. @default it waits */
  readonly refuses?: (question: HubQuestion, isTurnUnattended: boolean) => boolean;
}
