import type {
  AgentCapabilities,
  AvailableCommand,
  Cost,
  Implementation,
  PlanEntry,
  PermissionOption,
} from '@parley/acp';
import type { Settings } from '../agent-session/settings/settings.ts';
import type { Tokens } from '../agent-session/turn/tokens.ts';
import { noChanges, type ChangesState } from './changes.ts';
import type { Chunk, Item, MessageRole } from './item.ts';
import { emptyList, type List } from './list.ts';
import { emptyTable, type Table } from './table.ts';

/** What a session is doing. */
export type SessionPhase = 'starting' | 'ready' | 'running' | 'waiting' | 'stopping' | 'closed' | 'failed';

/** All that is shown of a session: a function of the events of its event log, and never changed. */
export interface SessionState extends Settings {
  /** The number of the last event. */
  readonly seq: number;
  /** When it was written, in milliseconds since 1970. */
  readonly time: number;
  readonly phase: SessionPhase;
  readonly key?: string;
  readonly agent?: IntroducedAgent;
  readonly cwd?: string;
  readonly additionalDirectories?: readonly string[];
  /** What the agent calls the session. */
  readonly sessionId?: string;
  readonly title?: string;
  readonly items: List<Item>;
  readonly turns: List<TurnState>;
  /** By their ids, which tool calls name in their content. */
  readonly terminals: Table<TerminalState>;
  /** What waits for the user, the oldest first. */
  readonly questions: readonly OpenQuestion[];
  /** What turns changed in the session's folder. */
  readonly changes: ChangesState;
  readonly plan?: readonly PlanEntry[];
  readonly usage: SessionUsage;
  readonly commands: readonly AvailableCommand[];
  /** What only the next events need. */
  readonly progress: Progress;
}

/** The agent, as far as it has introduced itself. */
export interface IntroducedAgent {
  /** What it is called here. */
  readonly name: string;
  readonly info?: Implementation;
  readonly protocolVersion?: number;
  readonly capabilities?: AgentCapabilities;
}

/** A turn, and how it ended. */
export interface TurnState {
  readonly turnId: string;
  readonly startedAt: number;
  /** `unknown`: the program that kept the session was ended in the middle. */
  readonly state: 'running' | 'ended' | 'unknown';
  readonly endedAt?: number;
  /** The limit for which it was cancelled. */
  readonly reached?: 'turn' | 'silence';
  readonly cancel?: 'asked' | 'request-cancelled' | 'agent-ended';
  /** As the agent said it. */
  readonly stopReason?: string;
  readonly error?: { readonly code: string | number; readonly message: string };
  /** What the agent says the turn took, as it came. */
  readonly usage?: unknown;
  /** The index of its first item. */
  readonly firstItem: number;
}

/** A command the agent ran through the client, or ran itself and reported in the `_meta` of its tool call. */
export interface TerminalState {
  readonly terminalId: string;
  readonly toolCallId: string;
  readonly command: string;
  readonly cwd: string;
  /** `unknown`: its end was not recorded. */
  readonly state: 'running' | 'ended' | 'unknown';
  /** The end of what it wrote: once it has ended, or as far as the agent has reported. */
  readonly output: string;
  readonly truncated: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A question that waits for the user. */
export type OpenQuestion =
  | {
      readonly kind: 'permission';
      readonly requestId: string;
      /** Since when it waits. */
      readonly time: number;
      readonly toolCallId: string;
      readonly options: readonly PermissionOption[];
      /** The call shows nothing of what it would do. */
      readonly opaque?: true;
    }
  | {
      readonly kind: 'elicitation';
      readonly requestId: string;
      readonly time: number;
      readonly message: string;
      readonly mode: string;
    };

/** What the agent says it used. Each is reported in its own way; they are never added to each other. */
export interface SessionUsage {
  /** How full the context window is. */
  readonly context?: { readonly used: number; readonly size: number };
  /** Of the whole session. */
  readonly cost?: Cost;
  /** The sum of what the turns that ended said. */
  readonly tokens?: Tokens;
}

/** What the next events need to know. */
export interface Progress {
  /** Where the session stands when no turn runs. */
  readonly phase: 'starting' | 'ready' | 'closed' | 'failed';
  /** The running turn, by its index. */
  readonly turn?: number;
  /** The message that a chunk without an id goes on with. */
  readonly speaking?: { readonly index: number; readonly role: MessageRole };
  /** How much of the prompt the agent has echoed, as some do. */
  readonly echo?: { readonly index: number; readonly length: number };
  /** A history that is being replayed. */
  readonly replay?: Replay;
  /** Where items with an id of their own are, by kind and id. */
  readonly places: Table<number>;
}

/** How far a history has been replayed. */
export interface Replay {
  /** Where the next replayed item is looked for first. */
  readonly cursor: number;
  /** How many items there were before. */
  readonly end: number;
  /** The message that is being replayed. */
  readonly current?: { readonly index: number; readonly role: MessageRole };
  /** How much of each message was replayed, by its index. */
  readonly replayed: Table<number>;
  /** Replayed prompts that are not known, as long as nothing came after them. */
  readonly held: List<Chunk>;
}

/** The state of a session nothing is known of. */
export const emptyState: SessionState = {
  seq: 0,
  time: 0,
  phase: 'starting',
  items: emptyList,
  turns: emptyList,
  terminals: emptyTable,
  questions: [],
  changes: noChanges,
  usage: {},
  commands: [],
  progress: { phase: 'starting', places: emptyTable },
};
