import { randomUUID } from 'node:crypto';
import { invalidRequest, resourceNotFound, type ContentBlock } from '@parley/acp';
import type { QueueChange, QueuedPrompt } from '@parley/host/desk';
import type { DeskLimits } from '../limits.ts';

/** How much may wait. */
export type QueueLimits = Pick<DeskLimits, 'queuedPrompts' | 'queuedLength'>;

/** The prompts of a session that wait for the end of its turn. */
export interface PromptQueue {
  readonly prompts: readonly QueuedPrompt[];
  /** It waits for the person: the turn before failed or was cancelled. */
  readonly isHeld: boolean;
}

/** Nothing waits. */
export const emptyQueue: PromptQueue = { prompts: [], isHeld: false };

/**
 * The queue with one more prompt, and that.
 *
 * @throws {RpcError} It is full.
 */
export function withPrompt(
  queue: PromptQueue,
  blocks: readonly ContentBlock[],
  limits: QueueLimits,
): { readonly queue: PromptQueue; readonly prompt: QueuedPrompt } {
  const prompt = { id: randomUUID(), blocks };
  const prompts = [...queue.prompts, prompt];
  checkLength(prompts, limits);
  return { queue: { ...queue, prompts }, prompt };
}

/** The queue without its first prompt, and that; undefined when it is held, or empty. */
export function withoutFirst({
  prompts: [first, ...prompts],
  isHeld,
}: PromptQueue): { readonly queue: PromptQueue; readonly prompt: QueuedPrompt } | undefined {
  if (first === undefined || isHeld) return undefined;
  return { queue: { prompts, isHeld }, prompt: first };
}

/** The queue when a turn failed or was cancelled: what waits may not be wanted any more. */
export function heldQueue({ prompts }: PromptQueue): PromptQueue {
  return { prompts, isHeld: prompts.length > 0 };
}

/**
 * The queue as a person wants it.
 *
 * @throws {RpcError} There is no such prompt, or it is too long.
 */
export function changedQueue(queue: PromptQueue, change: QueueChange, limits: QueueLimits): PromptQueue {
  const { prompts, isHeld } = queue;
  switch (change.kind) {
    case 'go-on':
      return { prompts, isHeld: false };
    case 'edit': {
      const index = placeOf(prompts, change.id);
      const edited = prompts.with(index, { id: change.id, blocks: change.blocks });
      checkLength(edited, limits);
      return { prompts: edited, isHeld };
    }
    case 'remove':
      return heldAs(prompts.toSpliced(placeOf(prompts, change.id), 1), isHeld);
    case 'move': {
      const index = placeOf(prompts, change.id);
      const others = prompts.toSpliced(index, 1);
      return { prompts: others.toSpliced(change.to, 0, ...prompts.slice(index, index + 1)), isHeld };
    }
  }
}

/** Where nothing waits, nothing is held. */
function heldAs(prompts: readonly QueuedPrompt[], isHeld: boolean): PromptQueue {
  return { prompts, isHeld: isHeld && prompts.length > 0 };
}

function placeOf(prompts: readonly QueuedPrompt[], id: string): number {
  const index = prompts.findIndex((prompt) => prompt.id === id);
  if (index === -1) throw resourceNotFound(`prompt ${id}`);
  return index;
}

function checkLength(prompts: readonly QueuedPrompt[], { queuedPrompts, queuedLength }: QueueLimits): void {
  if (prompts.length > queuedPrompts) {
    throw invalidRequest(`session/prompt: ${String(queuedPrompts)} prompts wait already`);
  }
  if (JSON.stringify(prompts).length > queuedLength) {
    throw invalidRequest(
      `session/prompt: the prompts that wait would be longer than ${String(queuedLength)} characters`,
    );
  }
}
