import type { AgentCapabilities, Implementation, PermissionOption } from '@parley/acp';
import type { Interruption } from '../event/logged-event.ts';
import type { SessionWorktree } from '../event/session-event.ts';
import type { HeldBy } from '../sandbox/sandbox-settings.ts';

/** What a session is doing. */
export type SessionPhase = 'starting' | 'ready' | 'running' | 'waiting' | 'stopping' | 'closed' | 'failed';

/** The facts of a session, without its transcript: their size does not grow with the session. */
export interface SessionFacts {
  /** The number of the last event. */
  readonly seq: number;
  /** When it was written, in milliseconds since 1970. */
  readonly time: number;
  /** The number of the last event that clients are sent: they get none of the AAP server's own. */
  readonly clientSeq: number;
  /** When its event log was begun. */
  readonly startedAt: number;
  readonly phase: SessionPhase;
  readonly key?: string;
  readonly agent?: IntroducedAgent;
  readonly agentLife: AgentLife;
  readonly cwd?: string;
  /** The git worktree that the folder is in. */
  readonly worktree?: SessionWorktree;
  /** The sandbox of the agent when it was last started; undefined without one. */
  readonly sandbox?: HeldBy | undefined;
  readonly additionalDirectories: readonly string[];
  /** What the agent calls the session. */
  readonly sessionId?: string;
  /** The agent's title; empty if the agent removed it. `titleOf` returns the displayed title. */
  readonly title?: string;
  readonly firstPrompt?: FirstPrompt;
  /** The turn that runs, or ran last. */
  readonly lastTurn?: TurnState;
  /** What waits for the user, the oldest first. */
  readonly questions: readonly OpenQuestion[];
}

/** The agent, as far as it has introduced itself. */
export interface IntroducedAgent {
  /** What it is called here. */
  readonly name: string;
  readonly info?: Implementation;
  readonly protocolVersion?: number;
  readonly capabilities?: AgentCapabilities;
  /** Whether the agent supports steering. */
  readonly steering?: true;
}

/** The state of the agent, and of the session that it opened. */
export interface AgentLife {
  /** The phase of the session while no turn runs. */
  readonly idlePhase: 'starting' | 'ready' | 'closed' | 'failed';
  readonly process: AgentProcess;
  /** `closed`: a client closed it. `ended`: it ended otherwise. */
  readonly session: 'unopened' | 'open' | 'ended' | 'closed';
  /** The number of the event by which the agent's session was opened last. */
  readonly openedBy?: number;
}

/** Whether an agent runs. */
export type AgentProcess =
  | { readonly state: 'none' | 'running' }
  | {
      /** It ended by itself, and is started again: until its session is open. */
      readonly state: 'restarting';
      /** From 1. */
      readonly attempt: number;
      /** How many there will be at most. */
      readonly attempts: number;
      /** When it is started, in milliseconds since 1970. */
      readonly at: number;
    };

/** The start of the first message of the user. */
export interface FirstPrompt {
  readonly text: string;
  /** The number of its last chunk, if the agent sent it: the next event may continue it. */
  readonly lastChunk?: number;
}

/** A turn, and how it ended. */
export interface TurnState {
  readonly turnId: string;
  /** From 1. */
  readonly number: number;
  /** As the client that sent it named the prompt. */
  readonly promptId?: string;
  readonly startedAt: number;
  /** `unknown`: the program that kept the session was ended in the middle. */
  readonly state: 'running' | 'ended' | 'unknown';
  readonly endedAt?: number;
  /** The limit for which it was cancelled. */
  readonly reached?: 'turn' | 'silence';
  readonly cancel?: 'asked' | 'request-cancelled' | 'agent-ended';
  /** The agent's stop reason. */
  readonly stopReason?: string;
  readonly error?: { readonly code: string | number; readonly message: string };
  /** The agent's unmodified usage report of the turn. */
  readonly usage?: unknown;
  /** A question needed a user, and none could answer. */
  readonly wasUnanswered?: true;
}

/** A question that waits for the user. */
export type OpenQuestion =
  | {
      readonly kind: 'permission';
      readonly requestId: string;
      /** Since when it waits. */
      readonly time: number;
      /** The sub-agent that asks, by the id of its session. @default the session itself */
      readonly subagent?: string;
      readonly toolCallId: string;
      readonly options: readonly PermissionOption[];
      /** The call does not show what it would do. */
      readonly opaque?: true;
    }
  | {
      readonly kind: 'elicitation';
      readonly requestId: string;
      readonly time: number;
      readonly subagent?: string;
      readonly message: string;
      readonly mode: string;
    };

/** The facts of a session that has no event yet. */
export const noFacts: SessionFacts = {
  seq: 0,
  time: 0,
  clientSeq: 0,
  startedAt: 0,
  phase: 'starting',
  agentLife: { idlePhase: 'starting', process: { state: 'none' }, session: 'unopened' },
  additionalDirectories: [],
  questions: [],
};

/** The turn that runs. */
export function runningTurn({ lastTurn }: SessionFacts): TurnState | undefined {
  return lastTurn?.state === 'running' ? lastTurn : undefined;
}

/** Number of turns so far. */
export function turnCount({ lastTurn }: SessionFacts): number {
  return lastTurn?.number ?? 0;
}

/** Whether the agent supports forking the session. */
export function canFork({ agent }: SessionFacts): boolean {
  const { sessionCapabilities = {}, loadSession } = agent?.capabilities ?? {};
  const canGoOn = sessionCapabilities.resume !== undefined || loadSession === true;
  // ACP's draft; the stable protocol does not know it yet.
  return canGoOn && 'fork' in sessionCapabilities && sessionCapabilities.fork !== null;
}

/**
 * The displayed title of a session: its title, else the start of the first prompt; undefined before the first prompt.
 */
export function titleOf({ title, firstPrompt }: SessionFacts): string | undefined {
  if (title !== undefined && title.trim() !== '') return title;
  const words = firstPrompt?.text.replaceAll(/\s+/gu, ' ').trim() ?? '';
  if (words === '') return undefined;
  return words.length > titleLimit ? `${words.slice(0, titleLimit - 1)}…` : words;
}

/** Characters of a prompt that are used as a title. */
const titleLimit = 80;

/** Whether a turn or the agent's session has started and not ended. */
export function isUnfinished(facts: SessionFacts): boolean {
  return runningTurn(facts) !== undefined || facts.agentLife.session === 'open';
}

/** The event that the next owner stores about a turn or a session that its predecessor did not end. */
export function interruptionOf(
  facts: SessionFacts,
  { tailBytes, damagedLines }: { readonly tailBytes: number; readonly damagedLines: number },
): Interruption {
  const turnId = runningTurn(facts)?.turnId;
  return {
    type: 'interruption',
    ...(turnId !== undefined && { turnId }),
    lostBytes: tailBytes,
    damagedLines,
  };
}
