import { randomUUID } from 'node:crypto';
import { invalidRequest, resourceNotFound, type ContentBlock } from '@parley/acp';
import type { QueueChange } from '../../hub/hub-methods.ts';
import type { QueuedPrompt } from '../../hub/hub-session.ts';
import type { SessionLimits } from '../session-limits.ts';
import { withHeldContent } from './queued-content.ts';

/** How much may wait. */
export type QueueLimits = Pick<SessionLimits, 'queuedPrompts' | 'queuedLength'>;

/** The prompts of a session that wait for the end of its turn. */
export interface PromptQueue {
  readonly prompts: readonly QueuedPrompt[];
  /** It waits for the person: the turn before failed or was cancelled. */
  readonly isHeld: boolean;
  /** The id of the prompt to send next, even if the others are on hold. */
  readonly urgent?: string;
}

/** Nothing waits. */
export const emptyQueue: PromptQueue = { prompts: [], isHeld: false };

/**
 * The queue with one more prompt, and that.
 *
 * @throws {RpcError} It is full, or has a prompt with this id.
 */
export function withPrompt(
  queue: PromptQueue,
  blocks: readonly ContentBlock[],
  limits: QueueLimits,
  id: string = randomUUID(),
): { readonly queue: PromptQueue; readonly prompt: QueuedPrompt } {
  if (queue.prompts.some((prompt) => prompt.id === id)) {
    throw invalidRequest(`session/prompt: the prompt ${id} is already queued`);
  }
  const prompt = { id, blocks };
  const prompts = [...queue.prompts, prompt];
  checkLength(prompts, limits);
  return { queue: { ...queue, prompts }, prompt };
}

/** Removes the next prompt from the queue, and returns both; undefined if the queue is on hold or empty. */
export function withoutNext({
  prompts,
  isHeld,
  urgent,
}: PromptQueue): { readonly queue: PromptQueue; readonly prompt: QueuedPrompt } | undefined {
  const next = prompts.find(({ id }) => (urgent === undefined ? !isHeld : id === urgent));
  if (next === undefined) return undefined;
  const others = prompts.filter((prompt) => prompt !== next);
  return { queue: heldAs(others, isHeld), prompt: next };
}

/** The queue without an urgent prompt. */
export function withoutUrgency({ prompts, isHeld }: PromptQueue): PromptQueue {
  return { prompts, isHeld };
}

/** The queue when a turn failed or was stopped: what waits may not be wanted any more. */
export function heldQueue({ prompts }: PromptQueue): PromptQueue {
  return { prompts, isHeld: prompts.length > 0 };
}

/**
 * The queue as the user arranged it.
 *
 * @throws {RpcError} There is no such prompt, or it is too long.
 */
export function changedQueue(queue: PromptQueue, change: QueueChange, limits: QueueLimits): PromptQueue {
  const { prompts, isHeld, urgent } = queue;
  if (change.kind === 'go-on') return { ...queue, isHeld: false };
  const { id } = change;
  const index = prompts.findIndex((prompt) => prompt.id === id);
  const prompt = prompts[index];
  if (prompt === undefined) throw resourceNotFound(`prompt ${id}`);
  const others = prompts.toSpliced(index, 1);
  switch (change.kind) {
    case 'edit': {
      const edited = prompts.with(index, { id, blocks: withHeldContent(change.blocks, prompt) });
      checkLength(edited, limits);
      return { ...queue, prompts: edited };
    }
    case 'remove':
      return { ...heldAs(others, isHeld), ...(urgent !== undefined && urgent !== id && { urgent }) };
    case 'move':
      return { ...queue, prompts: others.toSpliced(change.to, 0, prompt) };
    case 'send-now':
      return { prompts: [prompt, ...others], isHeld, urgent: id };
  }
}

/** Whether the queue is on hold; an empty one never is. */
function heldAs(prompts: readonly QueuedPrompt[], isHeld: boolean): PromptQueue {
  return { prompts, isHeld: isHeld && prompts.length > 0 };
}

function checkLength(prompts: readonly QueuedPrompt[], { queuedPrompts, queuedLength }: QueueLimits): void {
  if (prompts.length > queuedPrompts) {
    throw invalidRequest(`session/prompt: ${String(queuedPrompts)} prompts are already queued`);
  }
  if (JSON.stringify(prompts).length > queuedLength) {
    throw invalidRequest(
      `session/prompt: the queued prompts would be longer than ${String(queuedLength)} characters`,
    );
  }
}
