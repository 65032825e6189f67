import { HostError } from '../host-error.ts';
import type { HubSession } from '../hub/hub-session.ts';
import { reduceFacts } from '../state/reduce-facts.ts';
import { noFacts } from '../state/session-facts.ts';
import type { SessionRuntime } from './session-runtime.ts';

/** Stores that a session without an agent was closed, so that its followers end. */
export async function endStoredSession(
  { key, agent, cwd }: Pick<HubSession, 'key' | 'agent' | 'cwd'>,
  { eventLogs: { store, program }, onFault }: Pick<SessionRuntime, 'eventLogs' | 'onFault'>,
): Promise<void> {
  let facts = noFacts;
  try {
    await using eventLog = await store.open(key, {
      start: { agent, cwd, program },
      onEvent: (event) => {
        facts = reduceFacts(facts, event);
      },
      onFailure: (error) => onFault?.(error),
    });
    eventLog.append({ type: 'session-end', sessionId: facts.sessionId ?? key, reason: 'closed' });
  } catch (error) {
    // Another program has it open, and continues it.
    if (!(error instanceof HostError && error.code === 'already-open')) throw error;
  }
}
