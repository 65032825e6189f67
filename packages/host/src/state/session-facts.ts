import type { AgentCapabilities, Implementation, PermissionOption } from '@parley/acp';
import type { Interruption } from '../event/logged-event.ts';
import type { SessionWorktree } from '../event/session-event.ts';

/** What a session is doing. */
export type SessionPhase = 'starting' | 'ready' | 'running' | 'waiting' | 'stopping' | 'closed' | 'failed';

/** What is known of a session without what was said and done in it: its size does not grow with the session. */
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
  readonly additionalDirectories: readonly string[];
  /** What the agent calls the session. */
  readonly sessionId?: string;
  /** As the agent gave it; empty when the agent took it back. `titleOf` says what the session is called. */
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
}

/** What became of the agent, and of the session that it opened. */
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

/** How the user's first message begins. */
export interface FirstPrompt {
  readonly text: string;
  /** The number of its last chunk, where the agent sent it: the next event may go on with it. */
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
  /** As the agent said it. */
  readonly stopReason?: string;
  readonly error?: { readonly code: string | number; readonly message: string };
  /** What the agent says the turn took, as it came. */
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

/** How many turns have begun. */
export function turnCount({ lastTurn }: SessionFacts): number {
  return lastTurn?.number ?? 0;
}

/** Whether the agent said that it can fork the session, and go on with both. */
export function canFork({ agent }: SessionFacts): boolean {
  const { sessionCapabilities = {}, loadSession } = agent?.capabilities ?? {};
  const canGoOn = sessionCapabilities.resume !== undefined || loadSession === true;
  // ACP's draft; the stable protocol does not know it yet.
  return canGoOn && 'fork' in sessionCapabilities && sessionCapabilities.fork !== null;
}

/** What a session is called: its title, else how the first prompt begins; undefined when nothing was said yet. */
export function titleOf({ title, firstPrompt }: SessionFacts): string | undefined {
  if (title !== undefined && title.trim() !== '') return title;
  const words = firstPrompt?.text.replaceAll(/\s+/gu, ' ').trim() ?? '';
  if (words === '') return undefined;
  return words.length > titleLimit ? `${words.slice(0, titleLimit - 1)}…` : words;
}

/** How much of a prompt is used as a title. */
const titleLimit = 80;

/** Whether something has begun that has no end: a turn, or a session of the agent's. */
export function isUnfinished(facts: SessionFacts): boolean {
  return runningTurn(facts) !== undefined || facts.agentLife.session === 'open';
}

/** What the next owner stores of what its predecessor left unfinished. */
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
