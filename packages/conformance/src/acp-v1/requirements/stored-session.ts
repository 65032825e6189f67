import { isJsonObject, valueAt } from '@parley/wire';
import type { AgentProcess } from '../agent-process.ts';
import { demand, requireDeclared } from '../check-error.ts';
import { textPrompt } from '../check-kit.ts';
import type { CheckKit, CheckedSession } from '../check-kit.ts';
import { declares } from '../conversation.ts';
import { listAt, shown } from '../json-value.ts';
import type { AgentRequirement } from '../requirement.ts';
import { demandCancelled, startLongTurn } from './cancel.ts';
import { openOne } from './prompt.ts';

/** Sessions that outlive their connection. */
export const keptSession: readonly AgentRequirement[] = [
  {
    id: 'ACP-LOAD-001',
    tier: 'capability',
    title: 'session/load opens a stored session, which continues',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'loadSession');
      await agent.request('session/load', reopening(session));
      await agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
    },
  },
  {
    id: 'ACP-LOAD-002',
    tier: 'capability',
    title: 'session/load shows the conversation before its answer',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'loadSession');
      const before = agent.updates.length;
      await agent.request('session/load', reopening(session));
      const shownAgain = agent.updates
        .slice(before)
        .map((params) => valueAt(params, 'update', 'sessionUpdate'));
      const hasBoth = shownAgain.includes('user_message_chunk') && shownAgain.includes('agent_message_chunk');
      demand(hasBoth, `before the answer came ${shown([...new Set(shownAgain)])}`);
    },
  },
  {
    id: 'ACP-LOAD-003',
    tier: 'advisory',
    title: 'the result of session/load is an object',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'loadSession');
      const result = await agent.request('session/load', reopening(session));
      demand(isJsonObject(result), `the result is ${shown(result)}`);
    },
  },
  {
    id: 'ACP-RESUME-001',
    tier: 'capability',
    title: 'session/resume opens a stored session, which continues',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'resume');
      await agent.request('session/resume', reopening(session));
      await agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
    },
  },
  {
    id: 'ACP-RESUME-002',
    tier: 'capability',
    title: 'session/resume shows nothing of the conversation before its answer',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'resume');
      const before = agent.updates.length;
      await agent.request('session/resume', reopening(session));
      const history = agent.updates
        .slice(before)
        .find((params) => isHistory(valueAt(params, 'update', 'sessionUpdate')));
      demand(history === undefined, `before the answer came ${shown(history)}`);
    },
  },
  {
    id: 'ACP-LIST-001',
    tier: 'capability',
    title: 'session/list gives a list of sessions',
    async run(kit) {
      const { agent } = await openSpoken(kit, 'list');
      const result = await agent.request('session/list', {});
      demand(Array.isArray(valueAt(result, 'sessions')), `the result is ${shown(result)}`);
      for (const each of listAt(result, 'sessions')) {
        const isWhole =
          typeof valueAt(each, 'sessionId') === 'string' && typeof valueAt(each, 'cwd') === 'string';
        demand(isWhole, `an entry has no sessionId or no cwd: ${shown(each)}`);
      }
    },
  },
  {
    id: 'ACP-LIST-002',
    tier: 'capability',
    title: 'session/list of a directory without sessions is an empty list',
    async run(kit) {
      const { agent } = await openSpoken(kit, 'list');
      const result = await agent.request('session/list', { cwd: await kit.folder() });
      const sessions = valueAt(result, 'sessions');
      demand(Array.isArray(sessions) && sessions.length === 0, `the result is ${shown(result)}`);
    },
  },
  {
    id: 'ACP-DELETE-001',
    tier: 'capability',
    title: 'session/delete removes a session, which is listed no more',
    async run(kit) {
      const { agent, capabilities, session } = await openSpoken(kit, 'delete');
      await agent.request('session/delete', { sessionId: session.sessionId });
      if (!declares(capabilities, 'list')) return;
      const result = await agent.request('session/list', { cwd: session.cwd });
      const left = listAt(result, 'sessions').some(
        (each) => valueAt(each, 'sessionId') === session.sessionId,
      );
      demand(!left, 'the session that was deleted is still listed');
    },
  },
  {
    id: 'ACP-DELETE-002',
    tier: 'advisory',
    title: 'session/delete of what is not there succeeds',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'delete');
      await agent.request('session/delete', { sessionId: session.sessionId });
      await agent.request('session/delete', { sessionId: session.sessionId });
    },
  },
  {
    id: 'ACP-CLOSE-001',
    tier: 'capability',
    title: 'session/close ends a session that does nothing',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'close');
      await agent.request('session/close', { sessionId: session.sessionId });
    },
  },
  {
    id: 'ACP-CLOSE-002',
    tier: 'capability',
    title: 'session/close cancels the turn that runs',
    async run(kit) {
      const { agent, capabilities, session } = await openOne(kit);
      requireDeclared(declares(capabilities, 'close'), 'sessionCapabilities.close');
      const turn = await startLongTurn(kit, agent, session);
      const closing = agent.request('session/close', { sessionId: session.sessionId });
      await Promise.all([demandCancelled(agent, turn), closing]);
    },
  },
];

/** A session in which something was said, with an agent that has the capability. */
async function openSpoken(
  kit: CheckKit,
  capability: string,
): Promise<{
  readonly agent: AgentProcess;
  readonly capabilities: unknown;
  readonly session: CheckedSession;
}> {
  const { agent, capabilities, session } = await openOne(kit);
  const isDeclared =
    capability === 'loadSession'
      ? valueAt(capabilities, capability) === true
      : declares(capabilities, capability);
  requireDeclared(
    isDeclared,
    capability === 'loadSession' ? capability : `sessionCapabilities.${capability}`,
  );
  await agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
  return { agent, capabilities, session };
}

function reopening({ sessionId, cwd }: CheckedSession): object {
  return { sessionId, cwd, mcpServers: [] };
}

function isHistory(kind: unknown): boolean {
  return String(kind).endsWith('_chunk') || String(kind).startsWith('tool_call') || kind === 'plan';
}
