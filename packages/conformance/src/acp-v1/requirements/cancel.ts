import { setTimeout } from 'node:timers/promises';
import { valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand, requireOffered } from '../check-error.ts';
import { type CheckedSession, type CheckKit, textPrompt } from '../check-kit.ts';
import type { CheckedAgent, SentRequest } from '../checked-agent.ts';
import { shown } from '../json-value.ts';
import { specification } from '../requirement.ts';

const source = specification('prompt-turn');

/** How turns and requests are cancelled. */
export const cancel: readonly AgentRequirement[] = [
  {
    id: 'ACP-CANCEL-001',
    level: 'required',
    rule: 'A prompt that is cancelled is answered with the stop reason "cancelled".',
    source,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await kit.openOne();
      await cancelTurn(kit, agent, session);
    },
  },
  {
    id: 'ACP-CANCEL-002',
    level: 'required',
    rule: 'All updates of a cancelled turn come before its response.',
    source,
    needs: 'turn',
    isAlone: true,
    async run(kit) {
      const { agent, session } = await kit.openOne();
      const turn = await cancelTurn(kit, agent, session);
      await setTimeout(kit.quietMs);
      await agent.end();
      const answered = agent.messages.findIndex(({ id, method }) => method === undefined && id === turn.id);
      const received = agent.messages.slice(answered).find(isTurnUpdate);
      demand(received === undefined, 'an update came after the response', { received });
    },
  },
  {
    id: 'ACP-CANCEL-101',
    level: 'required',
    rule: 'After a cancelled turn, the session takes another prompt.',
    source,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await kit.openOne();
      await cancelTurn(kit, agent, session);
      const result = await agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
      const reason = valueAt(result, 'stopReason');
      demand(reason !== 'cancelled', 'the next prompt was answered "cancelled" too');
    },
  },
  {
    id: 'ACP-CANCEL-102',
    level: 'required',
    rule: 'session/cancel without a turn has no effect on the next one.',
    source,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await kit.openOne();
      agent.notify('session/cancel', { sessionId: session.sessionId });
      const result = await agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
      const reason = valueAt(result, 'stopReason');
      demand(reason !== 'cancelled', 'a prompt after the cancel was answered "cancelled"');
    },
  },
  {
    id: 'ACP-CANCEL-103',
    level: 'required',
    rule: 'session/cancel ends the turn of its session only.',
    source,
    needs: 'turn',
    async run(kit) {
      const { agent } = await kit.open();
      const [one, other] = [await kit.openSession(agent), await kit.openSession(agent)];
      const turn = await startLongTurn(kit, agent, one);
      agent.notify('session/cancel', { sessionId: other.sessionId });
      // The response to a request that was sent later shows that the cancel was read.
      await kit.openSession(agent);
      await setTimeout(kit.quietMs);
      const isStopped = agent.messages.some(
        ({ id, method, result }) =>
          method === undefined && id === turn.id && valueAt(result, 'stopReason') === 'cancelled',
      );
      demand(!isStopped, 'the turn of the other session was cancelled');
      agent.notify('session/cancel', { sessionId: one.sessionId });
      await agent.answerTo(turn);
    },
  },
  {
    id: 'ACP-CANCEL-104',
    level: 'required',
    rule: 'A request that $/cancel_request names still gets a response: a result, or the error -32800.',
    source: specification('cancellation'),
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await kit.openOne();
      const turn = await startLongTurn(kit, agent, session);
      agent.notify('$/cancel_request', { requestId: turn.id });
      await kit.openSession(agent);
      // An agent may ignore the notification: this ends the turn then.
      agent.notify('session/cancel', { sessionId: session.sessionId });
      const { message } = await agent.answerTo(turn);
      const code = valueAt(message, 'error', 'code');
      demand(code === undefined || code === -32_800, `the prompt was answered with the error ${shown(code)}`);
    },
  },
];

/** Whether a message reports work of a turn. Updates that describe the session may arrive at any time. */
function isTurnUpdate({ method, params }: { readonly method?: unknown; readonly params?: unknown }): boolean {
  const kind = String(valueAt(params, 'update', 'sessionUpdate'));
  return (
    method === 'session/update' &&
    (kind.endsWith('_chunk') || kind.startsWith('tool_call') || kind === 'plan')
  );
}

/** Starts the first turn of a session, which is still running when this resolves. */
export async function startLongTurn(
  kit: CheckKit,
  agent: CheckedAgent,
  session: CheckedSession,
): Promise<SentRequest> {
  const turn = agent.send('session/prompt', textPrompt(session, kit.prompts.long));
  requireOffered(await isRunning(kit, agent, session, turn), tooShort);
  return turn;
}

/** Cancels the first turn of a session; fails where its prompt is not answered `cancelled`. */
async function cancelTurn(kit: CheckKit, agent: CheckedAgent, session: CheckedSession): Promise<SentRequest> {
  const prompt = textPrompt(session, kit.prompts.long);
  const turn = agent.send('session/prompt', prompt);
  if (await isRunning(kit, agent, session, turn)) {
    agent.notify('session/cancel', { sessionId: session.sessionId });
    await demandCancelled(agent, turn);
    return turn;
  }
  // Some agents end a turn at once: their next one is cancelled at the same moment as it begins.
  const quick = agent.send('session/prompt', prompt);
  agent.notify('session/cancel', { sessionId: session.sessionId });
  const reason = valueAt(agent.toResult(await agent.answerTo(quick)), 'stopReason');
  requireOffered(reason === 'cancelled', tooShort);
  return quick;
}

/** Whether a turn is still running a moment after its first update. */
async function isRunning(
  kit: CheckKit,
  agent: CheckedAgent,
  session: CheckedSession,
  turn: SentRequest,
): Promise<boolean> {
  const isAnswered = (): boolean =>
    agent.messages.some(({ id, method }) => method === undefined && id === turn.id);
  await agent.until(
    'the first update of a turn',
    () => agent.updatesOf(session.sessionId).some(isWork) || isAnswered() || undefined,
  );
  await setTimeout(kit.quietMs / 3);
  return !isAnswered();
}

function isWork(params: unknown): boolean {
  return isTurnUpdate({ method: 'session/update', params });
}

/** Fails where a prompt is not answered `cancelled`. */
export async function demandCancelled(agent: CheckedAgent, turn: SentRequest): Promise<void> {
  const reason = valueAt(agent.toResult(await agent.answerTo(turn)), 'stopReason');
  demand(reason === 'cancelled', `the cancelled prompt was answered ${shown(reason)}`);
}

const tooShort = 'the turn ended before it could be cancelled: use --long-prompt';
