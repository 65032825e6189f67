import type { AvailableCommand, Cost, PlanEntry } from '@parley/acp';
import type { Settings } from '../agent-session/settings/settings.ts';
import type { Tokens } from '../agent-session/turn/tokens.ts';
import { noChanges, type ChangesState } from './changes-state.ts';
import { emptyList, type List } from './list.ts';
import { noFacts, type SessionFacts, type TurnState } from './session-facts.ts';
import { emptyTable, type Table } from './table.ts';
import type { Chunk, Item, MessageRole } from './transcript/item.ts';

/** All that is shown of a session: a function of the events of its event log, and never changed. */
export interface SessionState extends SessionFacts, Transcript {}

/** What was said and done in a session, and what can be set in it. It grows with the session. */
export interface Transcript extends Settings {
  readonly items: List<Item>;
  readonly turns: List<TranscriptTurn>;
  /** By their ids, which tool calls name in their content. */
  readonly terminals: Table<TerminalState>;
  /** What turns changed in the session's folder. */
  readonly changes: ChangesState;
  readonly plan?: readonly PlanEntry[];
  readonly usage: SessionUsage;
  readonly commands: readonly AvailableCommand[];
  /** What only the next events need. */
  readonly progress: Progress;
}

/** A turn, and what was said and done in it. */
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
  /** The end of what it wrote: once it has ended, or as far as the agent has reported. */
  readonly output: string;
  readonly truncated: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
}

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
  ...noFacts,
  items: emptyList,
  turns: emptyList,
  terminals: emptyTable,
  changes: noChanges,
  usage: {},
  commands: [],
  progress: { places: emptyTable },
};
