import type { NewSessionRequest, NewSessionResponse } from '@parley/acp';
import { Deadline, WireError } from '@parley/wire';
import { aborted, untilAborted } from '../../until-aborted.ts';
import type { SessionTarget } from './session-target.ts';

/**
 * Sends `session/new` with a timeout, which stops while a user answers a question. If the response arrives after the
 * timeout, the session is closed, because it would never be used.
 */
export async function requestNewSession(
  params: NewSessionRequest,
  target: SessionTarget,
  signal?: AbortSignal,
): Promise<NewSessionResponse> {
  const { peer, openTimeoutMs } = target.agent;
  const limit = new AbortController();
  const withdrawal = new AbortController();
  const deadline = new Deadline({ timeoutMs: openTimeoutMs });
  deadline.start(() => limit.abort());
  const settled = target.sessions.watchOpening(deadline);
  try {
    const answer = peer.request('session/new', params, { withdrawal: withdrawal.signal });
    const end = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
    const outcome = await untilAborted(answer, end);
    if (outcome !== aborted) return outcome;
    withdrawal.abort();
    answer.then(
      ({ sessionId }) => closeLate(sessionId, target),
      () => {
        // It timed out, or the agent has ended: there is no session.
      },
    );
    throw new WireError('timeout', `session/new: no answer in ${openTimeoutMs} ms`, {
      method: 'session/new',
    });
  } finally {
    deadline.stop();
    settled();
  }
}

async function closeLate(
  sessionId: string,
  { agent, host }: Pick<SessionTarget, 'agent' | 'host'>,
): Promise<void> {
  const { peer, requestTimeoutMs } = agent;
  const late = `session/new: answered after its timeout, with the session ${JSON.stringify(sessionId)}`;
  if (peer.capabilities.sessionCapabilities?.close === undefined) {
    host.diagnose('warning', 'unexpected-answer', `${late}, which the agent offers no way to close`);
    return;
  }
  host.diagnose('info', 'unexpected-answer', `${late}, which is closed`);
  try {
    await peer.request('session/close', { sessionId }, { timeoutMs: requestTimeoutMs });
  } catch (error) {
    const reason = await agent.explain('session/close', error);
    host.diagnose('warning', 'close-failed', reason.message);
  }
}
