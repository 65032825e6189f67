import { setTimeout } from 'node:timers/promises';
import { valueAt } from '@parley/wire';
import type { AgentProcess, SentRequest } from '../agent-process.ts';
import { toResult } from '../agent-process.ts';
import { demand } from '../check-error.ts';
import { textPrompt } from '../check-kit.ts';
import type { CheckKit, CheckedSession } from '../check-kit.ts';
import { shown } from '../json-value.ts';
import type { AgentRequirement } from '../requirement.ts';
import { openOne } from './prompt.ts';

/** How turns and requests are cancelled. */
export const cancel: readonly AgentRequirement[] = [
  {
    id: 'ACP-CANCEL-001',
    tier: 'mandatory',
    title: 'a prompt that is cancelled is answered cancelled',
    async run(kit) {
      const { agent, session } = await openOne(kit);
      const turn = await startLongTurn(kit, agent, session);
      agent.notify('session/cancel', { sessionId: session.sessionId });
      await demandCancelled(agent, turn);
    },
  },
  {
    id: 'ACP-CANCEL-002',
    tier: 'mandatory',
    title: 'after the answer to a cancelled prompt there is no update of it',
    async run(kit) {
      const { agent, session } = await openOne(kit);
      const turn = await startLongTurn(kit, agent, session);
      agent.notify('session/cancel', { sessionId: session.sessionId });
      await demandCancelled(agent, turn);
      await setTimeout(kit.quietMs);
      await agent.end();
      const answered = agent.messages.findIndex(({ id, method }) => method === undefined && id === turn.id);
      const late = agent.messages.slice(answered).find(({ method }) => method === 'session/update');
      demand(late === undefined, `an update came after the answer: ${shown(late)}`);
    },
  },
];

/** Begins a turn that is still running when this settles. */
export async function startLongTurn(
  kit: CheckKit,
  agent: AgentProcess,
  session: CheckedSession,
): Promise<SentRequest> {
  const before = agent.updates.length;
  const turn = agent.send('session/prompt', textPrompt(session, kit.prompts.long));
  await agent.until('the first update of a turn', () => agent.updates.length > before || undefined);
  const isOver = agent.messages.some(({ id, method }) => method === undefined && id === turn.id);
  demand(!isOver, 'the turn was over before it could be cancelled: it needs a longer prompt');
  return turn;
}

/** Fails where a prompt is not answered `cancelled`. */
export async function demandCancelled(agent: AgentProcess, turn: SentRequest): Promise<void> {
  const reason = valueAt(toResult(await agent.answerTo(turn)), 'stopReason');
  demand(reason === 'cancelled', `the cancelled prompt was answered ${shown(reason)}`);
}
