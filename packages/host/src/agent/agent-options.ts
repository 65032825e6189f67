import type { Implementation, TraceContext } from '@parley/acp';
import type { ObservedFrame, Transport } from '@parley/wire';
import type { TurnCheckpoints } from '../changes/turn/turn-checkpoints.ts';
import type { EventStore } from '../event/event-store.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { Interact } from '../interact.ts';
import type { Policy } from '../permission/policy.ts';
import type { TerminalOutput } from '../services/terminal/terminal-output.ts';
import type { AgentClients } from './agent-clients.ts';
import type { SignIn } from './catalogue/catalogue-entry.ts';
import type { ServedResources } from './client-capabilities.ts';

/** What is needed to talk to an agent, however it is reached. */
export interface AgentOptions {
  /** What messages call the agent. @default its command, or "the agent" */
  readonly name?: string;
  /** The `clientInfo` for the agent. */
  readonly clientInfo: Implementation;
  /** How long the agent may take from its start to its answer to `initialize`. @default 60000 */
  readonly startTimeoutMs?: number;
  /** How long the agent may take to open a session; of one that it keeps, only silence counts. @default 120000 */
  readonly openTimeoutMs?: number;
  /** How long the agent may take for any other request but a prompt. @default 60000 */
  readonly requestTimeoutMs?: number;
  /** Aborts the start. An agent that is open already is ended by `end()`. */
  readonly signal?: AbortSignal;
  /** Sees each frame in both directions. @default nothing is observed */
  readonly observe?: (frame: ObservedFrame) => void;
  /**
   * Sees what happens, in order. Must not throw, and is called in the middle of things: keep it short. A promise for
   * an update makes the agent wait until it settles, so that a slow reader does not fill the memory.
   */
  readonly onEvent: (event: HostEvent) => void | Promise<void>;
  /**
   * What stores the events. While it cannot, no prompt is sent, no permission is given, no file written and no command run, and
   * a turn that runs is cancelled and fails. @default nothing depends on it
   */
  readonly store?: EventStore;
  /** Takes a checkpoint before and after each turn of its session. @default files are not covered */
  readonly checkpoints?: TurnCheckpoints;
  /** Receives the output of commands that the agent runs through the client, as it comes. @default none */
  readonly onOutput?: (output: TerminalOutput) => void;
  /** Decides about permissions before the user is asked. */
  readonly policy: Policy;
  /** Where remembered answers to permission requests are stored. @default only as long as the agent runs */
  readonly answersFile?: string;
  /** How to ask the user. @default no user is there */
  readonly interact?: Interact;
  /** The distributed trace that sessions and prompts are part of. @default one of its own for each session */
  readonly trace?: TraceContext;
  /** What the agent may reach through this client; what is left out is not declared, and refused. @default files and terminals */
  readonly serves?: ServedResources;
  /** Clients that serve what the host would, and what is not part of the protocol. @default there are none */
  readonly clients?: AgentClients;
  /** How one signs in, as far as that is known beside what the agent says. @default nothing is known */
  readonly signIn?: SignIn;
}

/** An agent to be started. */
export interface OpenAgentOptions extends AgentOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables that are added to this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where the process starts. Which directories a session may use is the session's business. */
  readonly cwd: string;
  /** The longest line the agent may write; a longer one is skipped. @default 80 MiB */
  readonly maxLineBytes?: number;
}

/** An agent that is there already. */
export interface ConnectAgentOptions extends AgentOptions {
  readonly transport: Transport;
}

/** An agent that is elsewhere. */
export interface OpenRemoteAgentOptions extends AgentOptions {
  /** `https:` or `http:` for streamable HTTP, `wss:` or `ws:` for a WebSocket. */
  readonly url: string;
  /** What each request carries, for example `Authorization`. @default nothing */
  readonly headers?: Readonly<Record<string, string>>;
}
