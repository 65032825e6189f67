import { AgentError } from '../agent-error.ts';
import type { Clock } from '../environment.ts';
import type { ModelPart } from './model.ts';

/** A part of one attempt: a part of the response, or at the end a failure. */
export type AttemptPart = ModelPart | { readonly type: 'failure'; readonly failure: ModelFailure };

/** Why a provider gave no whole response. */
export interface ModelFailure {
  /** For people; without a key, and of bounded length. */
  readonly message: string;
  /** It may go well the next time. */
  readonly isTransient: boolean;
  /** The conversation is too long for the model. */
  readonly isOverflow?: boolean;
  /** The delay that the provider requests. */
  readonly retryAfterMs?: number;
}

/** How often and how long it is tried. */
export interface RetryOptions {
  readonly clock: Clock;
  /** From 0 to 1: the part of a wait that is left to chance. */
  random(): number;
  /** @default 5 */
  readonly attempts?: number;
  /** The wait after the first attempt; it doubles with each. @default 1000 */
  readonly firstWaitMs?: number;
  /** Maximum delay; a provider that requests a longer one counts as failed. @default 60_000 */
  readonly longestWaitMs?: number;
}

/**
 * Repeats a request after a temporary failure, and reports each retry, as long as no part of a response was shown.
 *
 * @throws {AgentError} `model-failed`: the last attempt failed, or the failure is permanent. `context-overflow`: only
 * a shorter request may succeed.
 */
export async function* withRetries(
  attempt: () => AsyncIterable<AttemptPart>,
  signal: AbortSignal,
  options: RetryOptions,
): AsyncGenerator<ModelPart, void, undefined> {
  const { clock, attempts = 5, longestWaitMs = 60_000 } = options;
  for (let count = 1; ; count += 1) {
    let hasShown = false;
    let failure: ModelFailure | undefined;
    for await (const part of attempt()) {
      if (part.type === 'failure') {
        failure = part.failure;
        break;
      }
      hasShown = true;
      yield part;
    }
    if (failure === undefined) return;
    signal.throwIfAborted();
    const { message, isTransient } = failure;
    if (hasShown) throw failed(`${message}; the response is incomplete`);
    if (failure.isOverflow === true) throw new AgentError('context-overflow', message);
    if (!isTransient) throw failed(message);
    if (count >= attempts) {
      throw failed(attempts === 1 ? message : `${message}; failed after ${String(count)} attempts`);
    }
    const waitMs = failure.retryAfterMs ?? backoffMs(count, options);
    if (waitMs > longestWaitMs) {
      throw failed(`${message}; it requests a delay of ${seconds(waitMs)} s, which is too long`);
    }
    yield {
      type: 'notice',
      title: 'The model is asked again',
      description: `${message}. Attempt ${String(count + 1)} of ${String(attempts)} in ${seconds(waitMs)} s.`,
    };
    await clock.sleep(waitMs, signal);
  }
}

/** Half of it is left to chance, so that many who failed together do not come back together. */
function backoffMs(
  count: number,
  { firstWaitMs = 1000, longestWaitMs = 60_000, random }: RetryOptions,
): number {
  const fullMs = Math.min(firstWaitMs * 2 ** (count - 1), longestWaitMs);
  return Math.round(fullMs * (0.5 + random() / 2));
}

function seconds(ms: number): string {
  return String(Math.ceil(ms / 100) / 10);
}

function failed(message: string): AgentError {
  return new AgentError('model-failed', message);
}
