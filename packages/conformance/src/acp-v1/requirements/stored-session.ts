import { isAbsolute } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isJsonObject, valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand, requireDeclared } from '../check-error.ts';
import { type CheckedSession, type CheckKit, textPrompt } from '../check-kit.ts';
import type { CheckedAgent } from '../checked-agent.ts';
import { declares } from '../conversation.ts';
import { listAt, shown } from '../json-value.ts';
import { specification } from '../requirement.ts';
import { demandCancelled, startLongTurn } from './cancel.ts';

const setup = specification('session-setup');
const listing = specification('session-list');
const deletion = specification('session-delete');

/** Sessions that outlive their connection. */
export const storedSession: readonly AgentRequirement[] = [
  {
    id: 'ACP-LOAD-001',
    level: 'required',
    rule: 'session/load opens a stored session, which takes another prompt, if the agent declares loadSession.',
    source: setup,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'loadSession');
      await agent.request('session/load', reopening(session));
      await agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
    },
  },
  {
    id: 'ACP-LOAD-002',
    level: 'required',
    rule: 'session/load replays the messages of both sides before its response.',
    source: setup,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'loadSession');
      const before = agent.updatesOf(session.sessionId).length;
      await agent.request('session/load', reopening(session));
      const replayed = agent
        .updatesOf(session.sessionId)
        .slice(before)
        .map((params) => valueAt(params, 'update', 'sessionUpdate'));
      const hasBoth = replayed.includes('user_message_chunk') && replayed.includes('agent_message_chunk');
      demand(hasBoth, `before the response came ${shown([...new Set(replayed)])}`);
    },
  },
  {
    id: 'ACP-LOAD-003',
    level: 'recommended',
    rule: 'The result of session/load is an object.',
    source: setup,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'loadSession');
      const result = await agent.request('session/load', reopening(session));
      demand(isJsonObject(result), `the result is ${shown(result)}`);
    },
  },
  {
    id: 'ACP-LOAD-101',
    level: 'required',
    rule: 'session/load sends nothing of the conversation after its response.',
    source: setup,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'loadSession');
      const answer = await agent.ask('session/load', reopening(session));
      agent.toResult(answer);
      await setTimeout(kit.quietMs);
      const answered = agent.messages.indexOf(answer.message);
      const received = agent.messages
        .slice(answered)
        .find(({ method, params }) => method === 'session/update' && isHistory(params));
      demand(received === undefined, 'an update came after the response', { received });
    },
  },
  {
    id: 'ACP-LOAD-102',
    level: 'recommended',
    rule: 'session/load of an unknown session is answered with the error -32002.',
    source: specification('error'),
    needs: 'session',
    async run(kit) {
      const { agent, capabilities } = await kit.open();
      requireDeclared(valueAt(capabilities, 'loadSession') === true, 'loadSession');
      const params = { sessionId: 'parley-check-unknown', cwd: await kit.folder(), mcpServers: [] };
      const { message } = await agent.ask('session/load', params);
      demand(valueAt(message, 'error', 'code') === -32_002, 'the unknown session was answered otherwise');
    },
  },
  {
    id: 'ACP-RESUME-001',
    level: 'required',
    rule: 'session/resume opens a stored session, which takes another prompt, if the agent declares it.',
    source: setup,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'resume');
      await agent.request('session/resume', reopening(session));
      await agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
    },
  },
  {
    id: 'ACP-RESUME-002',
    level: 'required',
    rule: 'session/resume sends nothing of the conversation before its response.',
    source: setup,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'resume');
      const before = agent.updatesOf(session.sessionId).length;
      await agent.request('session/resume', reopening(session));
      const history = agent.updatesOf(session.sessionId).slice(before).find(isHistory);
      demand(history === undefined, `before the response came ${shown(history)}`);
    },
  },
  {
    id: 'ACP-LIST-001',
    level: 'required',
    rule: 'session/list returns a list of sessions, each with its id and its absolute cwd, if the agent declares it.',
    source: listing,
    needs: 'turn',
    async run(kit) {
      const { agent } = await openSpoken(kit, 'list');
      const result = await agent.request('session/list', {});
      demand(Array.isArray(valueAt(result, 'sessions')), `the result is ${shown(result)}`);
      for (const each of listAt(result, 'sessions')) {
        const cwd = valueAt(each, 'cwd');
        const isWhole = typeof valueAt(each, 'sessionId') === 'string' && typeof cwd === 'string';
        demand(isWhole && isAbsolute(cwd), `an entry has no sessionId or no absolute cwd: ${shown(each)}`);
      }
    },
  },
  {
    id: 'ACP-LIST-002',
    level: 'required',
    rule: 'session/list of a folder without sessions returns an empty list.',
    source: listing,
    needs: 'turn',
    async run(kit) {
      const { agent } = await openSpoken(kit, 'list');
      const result = await agent.request('session/list', { cwd: await kit.folder() });
      const sessions = valueAt(result, 'sessions');
      demand(Array.isArray(sessions) && sessions.length === 0, `the result is ${shown(result)}`);
    },
  },
  {
    id: 'ACP-LIST-101',
    level: 'recommended',
    rule: 'session/list with the cwd of a session returns that session.',
    source: listing,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'list');
      const result = await agent.request('session/list', { cwd: session.cwd });
      demand(isListed(result, session), `the session is not in ${shown(result)}`);
    },
  },
  {
    id: 'ACP-LIST-102',
    level: 'recommended',
    rule: 'session/list with a cursor that it did not return is answered with an error.',
    source: listing,
    needs: 'session',
    async run(kit) {
      const { agent, capabilities } = await kit.open();
      requireDeclared(declares(capabilities, 'list'), 'sessionCapabilities.list');
      const { message } = await agent.ask('session/list', { cursor: 'parley-check-unknown' });
      demand(isJsonObject(message['error']), 'the cursor was accepted');
    },
  },
  {
    id: 'ACP-DELETE-001',
    level: 'required',
    rule: 'session/delete removes a session, which is no longer listed, if the agent declares it.',
    source: deletion,
    needs: 'turn',
    async run(kit) {
      const { agent, capabilities, session } = await openSpoken(kit, 'delete');
      await agent.request('session/delete', { sessionId: session.sessionId });
      if (!declares(capabilities, 'list')) return;
      const result = await agent.request('session/list', { cwd: session.cwd });
      demand(!isListed(result, session), 'the session that was deleted is still listed');
    },
  },
  {
    id: 'ACP-DELETE-002',
    level: 'recommended',
    rule: 'session/delete of a session that does not exist succeeds.',
    source: deletion,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'delete');
      await agent.request('session/delete', { sessionId: session.sessionId });
      await agent.request('session/delete', { sessionId: session.sessionId });
    },
  },
  {
    id: 'ACP-CLOSE-001',
    level: 'required',
    rule: 'session/close ends a session without a turn, if the agent declares it.',
    source: setup,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'close');
      await agent.request('session/close', { sessionId: session.sessionId });
    },
  },
  {
    id: 'ACP-CLOSE-002',
    level: 'required',
    rule: 'session/close cancels the turn of its session.',
    source: setup,
    needs: 'turn',
    async run(kit) {
      const { agent, capabilities, session } = await kit.openOne();
      requireDeclared(declares(capabilities, 'close'), 'sessionCapabilities.close');
      const turn = await startLongTurn(kit, agent, session);
      const closing = agent.request('session/close', { sessionId: session.sessionId });
      await Promise.all([demandCancelled(agent, turn), closing]);
    },
  },
  {
    id: 'ACP-CLOSE-101',
    level: 'recommended',
    rule: 'A prompt for a session that was closed is answered with an error.',
    source: setup,
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await openSpoken(kit, 'close');
      await agent.request('session/close', { sessionId: session.sessionId });
      const { message } = await agent.ask('session/prompt', textPrompt(session, kit.prompts.plain));
      demand(isJsonObject(message['error']), 'the closed session took a prompt');
    },
  },
];

/** A session with one turn, of an agent that has the capability. */
async function openSpoken(
  kit: CheckKit,
  capability: string,
): Promise<{
  readonly agent: CheckedAgent;
  readonly capabilities: unknown;
  readonly session: CheckedSession;
}> {
  const { agent, capabilities } = await kit.open();
  const isLoad = capability === 'loadSession';
  requireDeclared(
    isLoad ? valueAt(capabilities, capability) === true : declares(capabilities, capability),
    isLoad ? capability : `sessionCapabilities.${capability}`,
  );
  const session = await kit.openSession(agent);
  await agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
  return { agent, capabilities, session };
}

function reopening({ sessionId, cwd }: CheckedSession): object {
  return { sessionId, cwd, mcpServers: [] };
}

function isListed(result: unknown, { sessionId }: CheckedSession): boolean {
  return listAt(result, 'sessions').some((each) => valueAt(each, 'sessionId') === sessionId);
}

function isHistory(params: unknown): boolean {
  const kind = String(valueAt(params, 'update', 'sessionUpdate'));
  return kind.endsWith('_chunk') || kind.startsWith('tool_call') || kind === 'plan';
}
