import type { Implementation, TraceContext } from '@parley/acp';
import type { ObservedFrame, Transport } from '@parley/wire';
import type { ListPlace, ProcessGroup, ProcessOptions } from '@parley/workspace';
import type { Sandbox } from '@parley/workspace/sandbox';
import type { TurnCheckpoints } from '../changes/turn/turn-checkpoints.ts';
import type { EventStore } from '../event/event-store.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { Interact } from '../interact.ts';
import type { AgentNetwork } from '../network/agent-network.ts';
import type { Policy } from '../permission/policy.ts';
import type { TerminalOutput } from '../services/terminal/terminal-output.ts';
import type { AgentClients } from './agent-clients.ts';
import type { SignIn } from './catalogue/catalogue-entry.ts';
import type { ServedResources } from './client-capabilities.ts';
import type { AuthStatus } from './unstable/auth-status.ts';
import type { ProviderRoutes } from './unstable/providers.ts';

/** Options of an agent connection, independent of how the agent is reached. */
export interface AgentOptions {
  /** The name for messages. @default its command, or "the agent" */
  readonly name?: string;
  /** The `clientInfo` that the agent receives. */
  readonly clientInfo: Implementation;
  /** Time limit from the start to the response to `initialize`. @default 60000 */
  readonly startTimeoutMs?: number;
  /** Time limit for opening a session; for a stored session, limit for silence. @default 120000 */
  readonly openTimeoutMs?: number;
  /** Time limit for other requests, except prompts. @default 60000 */
  readonly requestTimeoutMs?: number;
  /** Aborts the start. Use `end()` for an agent that is already running. */
  readonly signal?: AbortSignal;
  /** Receives each frame in both directions. @default none */
  readonly observe?: (frame: ObservedFrame) => void;
  /**
   * Receives the events, in order. Must not throw, and should return quickly. A promise for an update makes the agent
   * wait until it settles, so that a slow reader does not fill the memory.
   */
  readonly onEvent: (event: HostEvent) => void | Promise<void>;
  /**
   * Stores the events. If storing fails, no prompt is sent, no permission is granted, no file is written and no
   * command starts, and a running turn is cancelled and fails. @default events are not stored
   */
  readonly store?: EventStore;
  /** Takes a checkpoint before and after each turn of its session. @default none */
  readonly checkpoints?: TurnCheckpoints;
  /** Receives the output of commands that the agent runs through the client. @default none */
  readonly onOutput?: (output: TerminalOutput) => void;
  /** Decides permission requests before the user is asked. */
  readonly policy: Policy;
  /** Where remembered answers are stored. @default they expire with the agent */
  readonly answersFile?: ListPlace;
  /** Called when the agent reports another sign-in state, if there are `clients`. @default it is ignored */
  readonly onAuthStatus?: (status: AuthStatus) => void;
  /** Asks the user. @default there is no user */
  readonly interact?: Interact;
  /** The distributed trace of sessions and prompts. @default a new one for each session */
  readonly trace?: TraceContext;
  /**
   * The services of this client for the agent; others are not declared, and rejected. @default files and terminals
   */
  readonly serves?: ServedResources;
  /**
   * Clients that serve requests in place of the host, and requests that are not part of the protocol. @default none
   */
  readonly clients?: AgentClients;
  /** The only way of a sandboxed agent to a network; closed when the agent has ended. @default none */
  readonly network?: AgentNetwork;
  /** Where the agent reaches its model providers; one that does not accept this does not start. @default it decides */
  readonly providers?: ProviderRoutes;
  /** How to sign in, in addition to the agent's own report. @default unknown */
  readonly signIn?: SignIn;
  /**
   * The sandbox of the agent and of the commands it runs through the client; closed when the agent has exited.
   * @default none
   */
  readonly sandbox?: Sandbox;
  /** How to run the agent as root, if it refuses that. @default unknown */
  readonly rootHint?: string;
}

/** Options for starting an agent. */
export interface OpenAgentOptions extends AgentOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder in which the process starts. It does not determine the directories of sessions. */
  readonly cwd: string;
  /** Gives a process that was started just so, ahead of its connection. @default there is none */
  readonly startedAhead?: (start: ProcessOptions) => ProcessGroup | undefined;
  /** A line on its standard input, before all messages; not recorded. @default none */
  readonly firstLine?: string;
  /** Maximum length of a line of the agent; a longer one is skipped. @default 80 MiB */
  readonly maxLineBytes?: number;
}

/** Options for connecting to a running agent. */
export interface ConnectAgentOptions extends AgentOptions {
  readonly transport: Transport;
}

/** Options for connecting to a remote agent. */
export interface OpenRemoteAgentOptions extends AgentOptions {
  /** `https:` or `http:` for streamable HTTP, `wss:` or `ws:` for a WebSocket. */
  readonly url: string;
  /** Headers of each request, for example `Authorization`. @default none */
  readonly headers?: Readonly<Record<string, string>>;
}
