import { setImmediate, setTimeout } from 'node:timers/promises';
import { AgentError } from '../../agent-error.ts';
import type { Clock } from '../../environment.ts';
import { createProviderModel } from './create-provider-model.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** How long a provider may take to respond to the test request. */
const tryMs = 30_000;

/** A model to test, and how to reach it. */
export interface TriedProvider {
  readonly provider: string;
  readonly model: string;
  readonly settings: ProviderSettings;
}

/**
 * Requests one short response of a model. Returns the reason for a failure, without the key; undefined on success.
 */
export async function tryProvider(tried: TriedProvider, until?: AbortSignal): Promise<string | undefined> {
  const model = createProviderModel({ ...tried, clock: systemClock, attempts: 1 });
  const timeout = AbortSignal.timeout(tryMs);
  const signal = until === undefined ? timeout : AbortSignal.any([until, timeout]);
  // Reasoning models count their thoughts, and reject much lower limits.
  const request = {
    instructions: 'Answer with one word.',
    messages: [{ role: 'user', text: 'Say ok.' }],
    tools: [],
    maxTokens: 64,
  } as const;
  try {
    for await (const part of model.respond(request, signal)) {
      if (part.type !== 'usage' && part.type !== 'notice') return undefined;
    }
    return `${model.id}: the answer was empty`;
  } catch (error) {
    until?.throwIfAborted();
    if (timeout.aborted) return `${model.id}: no answer in ${String(tryMs / 1000)} s`;
    if (error instanceof AgentError) return error.message;
    throw error;
  }
}

const systemClock: Clock = {
  sleep: (ms, signal) => setTimeout(ms, undefined, signal === undefined ? {} : { signal }),
  breathe: () => setImmediate(),
};
