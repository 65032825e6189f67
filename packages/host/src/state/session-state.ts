import type { AvailableCommand, Cost, PlanEntry } from '@parley/acp';
import type { Settings } from '../agent-session/settings/settings.ts';
import type { Tokens } from '../agent-session/turn/tokens.ts';
import { noChanges, type ChangesState } from './changes-state.ts';
import { emptyTable } from './empty-table.ts';
import { emptyList, type List } from './list.ts';
import { noFacts, type SessionFacts, type TurnState } from './session-facts.ts';
import type { Table } from './table.ts';
import type { Chunk, Item, MessageRole } from './transcript/item.ts';

/** All that is shown of a session: a function of the events of its event log, and never changed. */
export interface SessionState extends SessionFacts, Transcript {}

/** Messages, tool calls and settings of a session. Its size grows with the session. */
export interface Transcript extends Settings {
  readonly items: List<Item>;
  readonly turns: List<TranscriptTurn>;
  /** By their ids, which tool calls name in their content. */
  readonly terminals: Table<TerminalState>;
  /** Sub-agents at any depth, in the order of their announcements: each comes after the one that it works for. */
  readonly subagents: List<SubagentState>;
  /** What turns changed in the session's folder. */
  readonly changes: ChangesState;
  readonly plan?: readonly PlanEntry[];
  readonly usage: SessionUsage;
  readonly commands: readonly AvailableCommand[];
  /** What only the next events need. */
  readonly progress: Progress;
}

/** A turn with its items. */
export interface TranscriptTurn extends TurnState {
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
  /** The end of its output: once it has ended, or as far as the agent has reported it. */
  readonly output: string;
  readonly truncated: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A sub-agent of a session: a child session that the agent announced, and its conversation. */
export interface SubagentState {
  /** What the agent calls the child session. */
  readonly sessionId: string;
  /** The sub-agent that it works for. @default the session itself */
  readonly parentId?: string;
  /** The title that its parent reported. The texts come from the agent and may contain anything. */
  readonly title?: string;
  readonly description?: string;
  /** The folder that the agent reported. @default the parent's */
  readonly cwd?: string;
  readonly additionalDirectories?: readonly string[];
  /** Whether its work can be cancelled by itself. */
  readonly mayCancel: boolean;
  readonly work: SubagentWork;
  /** When it was announced, in milliseconds since 1970. */
  readonly announcedAt: number;
  readonly conversation: SessionState;
}

/** The work of a sub-agent, as far as its parent reported it. */
export interface SubagentWork {
  /** `unknown`: the parent did not report a state, or the agent has exited. Other words come from the agent. */
  readonly state: 'running' | 'requires_action' | 'idle' | 'unknown' | (string & {});
  /** When it became so, in milliseconds since 1970. */
  readonly since: number;
  /** When it last began to work. */
  readonly startedAt?: number;
  /** Why it stopped, as the agent said it. */
  readonly stopReason?: string;
  readonly error?: { readonly code: number; readonly message: string };
  /** The usage that the agent reports, unchanged. */
  readonly usage?: unknown;
}

/** The usage that the agent reported. Agents report these numbers independently; they are never added to each other. */
export interface SessionUsage {
  /** How full the context window is. */
  readonly context?: { readonly used: number; readonly size: number };
  /** Of the whole session. */
  readonly cost?: Cost;
  /** The sum over the turns that have ended. */
  readonly tokens?: Tokens;
}

/** What the next events need to know. */
export interface Progress {
  /** The message that a chunk without an id continues. */
  readonly speaking?: { readonly index: number; readonly role: MessageRole };
  /** How much of the prompt the agent has echoed, as some do. */
  readonly echo?: { readonly index: number; readonly length: number };
  /** Texts that were sent into the turn and are not answered, with the indexes of their items. */
  readonly steering?: readonly { readonly promptId: string; readonly index: number }[];
  /** A history that is being replayed. */
  readonly replay?: Replay;
  /** Where items with an id of their own are, by kind and id. */
  readonly places: Table<number>;
  /** Where sub-agents are, by their ids. */
  readonly subagents: Table<number>;
}

/** How far a history has been replayed. */
export interface Replay {
  /** The index at which the search for the next replayed item starts. */
  readonly cursor: number;
  /** How many items there were before. */
  readonly end: number;
  /** The message that is being replayed. */
  readonly current?: { readonly index: number; readonly role: MessageRole };
  /** How much of each message was replayed, by its index. */
  readonly replayed: Table<number>;
  /** Replayed prompts that are not known, until an item after them is replayed. */
  readonly held: List<Chunk>;
}

/** The initial state, before any event. */
export const emptyState: SessionState = {
  ...noFacts,
  items: emptyList,
  turns: emptyList,
  terminals: emptyTable,
  subagents: emptyList,
  changes: noChanges,
  usage: {},
  commands: [],
  progress: { places: emptyTable, subagents: emptyTable },
};
