import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContentBlock, Meta } from '@parley/acp';
import { isJsonObject } from '@parley/wire';
import { expectStored } from '../event/event-store.ts';
import type { SteeringOutcome } from '../event/steering-event.ts';
import type { HostContext } from '../host-context.ts';
import type { SteerOptions } from './agent-session.ts';
import type { SessionAgent } from './session-agent.ts';

/** The request that sends text into a running turn: an extension of ACP that its most used adapters share. */
const steeringMethod = '_session/steering';

/** The agent's outcome if no turn was running: the text has to be sent as a prompt. */
const promptRequired = 'promptRequired';

/** Whether the `_meta` of an agent's `initialize` response advertises steering. */
export function isSteeringAdvertised(meta: Meta | undefined): boolean {
  const steering = meta?.['steering'];
  return isJsonObject(steering) && steering['supported'] === true;
}

/** Text for the turn that runs. */
export interface SteeringRequest extends SteerOptions {
  readonly sessionId: string;
  readonly prompt: readonly ContentBlock[];
  /** Whether a question to the user is open. */
  readonly isAsking: () => boolean;
}

/**
 * Sends text into the running turn and emits the outcome. The attempt is stored before it is sent, so that after a
 * crash its outcome is unknown and it is never sent twice.
 */
export async function sendSteering(
  { sessionId, prompt, promptId = randomUUID(), from, isWanted, isAsking }: SteeringRequest,
  agent: SessionAgent,
  host: HostContext,
): Promise<SteeringOutcome> {
  const text = { sessionId, promptId, prompt, ...(from !== undefined && { from }) };
  const outcome = agent.takesSteering ? await request() : 'queued';
  host.emit({ type: 'steering', ...text, outcome });
  return outcome;

  async function request(): Promise<SteeringOutcome> {
    host.emit({ type: 'steering-request', ...text });
    try {
      await expectStored(host.store, `${steeringMethod}: the text was not sent`);
    } catch {
      // As a prompt it is refused for the same reason.
      return 'queued';
    }
    return isWanted?.() === false ? 'queued' : ask(sessionId, prompt, isAsking, agent, host);
  }
}

async function ask(
  sessionId: string,
  prompt: readonly ContentBlock[],
  isAsking: () => boolean,
  { peer, requestTimeoutMs }: SessionAgent,
  host: HostContext,
): Promise<SteeringOutcome> {
  const params = { sessionId, prompt, _meta: { steering: { idleBehavior: promptRequired } } };
  const settled = new AbortController();
  try {
    const signal = limit(requestTimeoutMs, isAsking, settled.signal);
    const result = await peer.requestExtension(steeringMethod, params, { signal });
    return isJsonObject(result) && result['outcome'] === promptRequired ? 'queued' : 'steered';
  } catch (error) {
    const message = `${steeringMethod}: whether the agent received the text is unknown: ${error instanceof Error ? error.message : String(error)}`;
    host.diagnose('warning', 'steering-unknown', message);
    return 'unknown';
  } finally {
    settled.abort();
  }
}

/** Returns a signal that is aborted at the time limit. While a question is open, the agent may delay its response. */
function limit(timeoutMs: number, isAsking: () => boolean, settled: AbortSignal): AbortSignal {
  const reached = new AbortController();
  const watch = async (): Promise<void> => {
    do await delay(timeoutMs, undefined, { ref: false, signal: settled });
    while (isAsking());
    reached.abort(new Error(`no answer in ${timeoutMs} ms`));
  };
  watch().catch(() => undefined);
  return reached.signal;
}
