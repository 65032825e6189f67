import type { HubSession } from '../hub/hub-session.ts';
import { canFork, titleOf, type SessionFacts } from '../state/session-facts.ts';
import type { OpenQuestions } from './open-questions.ts';
import type { PromptQueue } from './queue/prompt-queue.ts';
import type { SessionLife } from './run/session-life.ts';
import type { SessionOptions } from './session-options.ts';

/** What lists show of a session, and where it is from. */
export interface ShownParts {
  /** The title that the user gave it. */
  readonly title: string | undefined;
  readonly facts: SessionFacts;
  readonly life: SessionLife;
  readonly questions: OpenQuestions;
  readonly queue: PromptQueue;
}

/** A session as lists show it. */
export function shownSession(
  { key, agent, cwd, parent, worktree, createdAt, title: storedTitle }: SessionOptions,
  { title: ownTitle, facts, life, questions, queue: { prompts, isHeld } }: ShownParts,
): HubSession {
  const title = ownTitle ?? titleOf(facts) ?? storedTitle;
  return {
    key,
    agent,
    cwd,
    ...(parent !== undefined && { parent }),
    ...(worktree !== undefined && { worktree }),
    ...(title !== undefined && { title }),
    ...life.shown,
    createdAt,
    questions: questions.size,
    queue: prompts,
    ...(isHeld && { isQueueHeld: true }),
    ...(canFork(facts) && { canFork: true }),
  };
}
