import { agentRequests, invalidParams, invalidRequest } from '@parley/acp';
import { hubMethods } from '@parley/host/hub';
import { mayAdminister } from '../../access/session-access.ts';
import { readAnswers, revokeAnswer } from '../../hub/remembered-answers.ts';
import type { HubRequest, OwnerRequest } from '../hub-call.ts';
import { markSessions } from '../mark-sessions.ts';
import { ownerMethods } from '../owner/owner-methods.ts';
import {
  parseAnswerParams,
  parseCancelParams,
  parseCancelSubagentParams,
  parseHandOverParams,
  parsePromptMeta,
  parseQueueParams,
  parseRenameParams,
  parseRevokeParams,
  parseSessionParams,
} from '../params/hub-params.ts';
import { readParams } from '../params/params.ts';
import { answerMayHoldSecret, holdsNoSecret, promptMayHoldSecret } from '../request-secrets.ts';

/** What a client can ask beyond ACP that needs no knowledge of its connection, by method. */
export const hubRequests: ReadonlyMap<string, HubRequest | OwnerRequest> = new Map<
  string,
  HubRequest | OwnerRequest
>([
  [
    hubMethods.answer,
    {
      use: 'change',
      by: 'owner',
      mayHoldSecret: answerMayHoldSecret,
      run: async (params, { table, from, method, principal }) => {
        const { sessionId, requestId, answer } = parseAnswerParams(params);
        // It would decide in the sessions of other tokens too.
        const isShared =
          answer.kind === 'remember' && (answer.scope === 'project' || answer.scope === 'user');
        if (isShared && !mayAdminister(principal)) {
          throw invalidRequest(
            `${method}: an answer beyond the session requires a token of scope admin; answer for "turn" or "session"`,
          );
        }
        // It would sign in all sessions of that agent.
        if (answer.kind === 'sign-in' && !mayAdminister(principal)) {
          throw invalidRequest(`${method}: signing in to an agent requires a token of scope admin`);
        }
        (await table.steer(sessionId)).answer(requestId, answer, from);
        return {};
      },
    },
  ],
  [
    hubMethods.queue,
    {
      use: 'change',
      by: 'owner',
      mayHoldSecret: holdsNoSecret,
      run: async (params, { table }) => {
        const { sessionId, change } = parseQueueParams(params);
        (await table.steer(sessionId)).turns.change(change);
        return {};
      },
    },
  ],
  [
    hubMethods.steer,
    {
      use: 'change',
      by: 'owner',
      mayHoldSecret: promptMayHoldSecret,
      run: async (params, { table, from }) => {
        const {
          sessionId,
          prompt,
          _meta = {},
        } = readParams(agentRequests['session/prompt'].parseParams(params));
        const { 'parley/promptId': id, 'parley/unattended': isUnattended = false } = parsePromptMeta(_meta);
        if (prompt.length === 0) throw invalidParams('prompt', 'at least one block');
        const { turns } = await table.steer(sessionId);
        const sender = { from, isUnattended, ...(id !== undefined && { id }) };
        return { outcome: await turns.steer(prompt, sender) };
      },
    },
  ],
  [
    hubMethods.cancelSubagent,
    {
      use: 'change',
      by: 'owner',
      canRepeat: true,
      run: async (params, { table }) => {
        const { sessionId, subagent } = parseCancelSubagentParams(params);
        (await table.steer(sessionId)).subagents.cancel(subagent);
        return {};
      },
    },
  ],
  [
    hubMethods.rename,
    {
      use: 'change',
      by: 'owner',
      canRepeat: true,
      mayHoldSecret: holdsNoSecret,
      run: async (params, { table }) => {
        const { sessionId, title } = parseRenameParams(params);
        (await table.steer(sessionId)).rename(title);
        return {};
      },
    },
  ],
  [hubMethods.mark, markSessions],
  [
    hubMethods.cancel,
    {
      use: 'change',
      by: 'owner',
      canRepeat: true,
      run: async (params, { table }) => {
        const { sessionId, graceMs, isForLimit } = parseCancelParams(params);
        await table.cancel(sessionId, {
          ...(graceMs !== undefined && { graceMs }),
          ...(isForLimit === true && { isForLimit }),
        });
        return {};
      },
    },
  ],
  [
    hubMethods.restart,
    {
      use: 'change',
      by: 'owner',
      canRepeat: true,
      run: async (params, { table }) => {
        await (await table.steer(parseSessionParams(params).sessionId)).restart();
        return {};
      },
    },
  ],
  [
    hubMethods.handOver,
    {
      use: 'change',
      run: async (params, call) => {
        const { replicas } = call.table;
        if (replicas === undefined) throw invalidRequest('hand over a session: this hub has one machine');
        const wanted = parseHandOverParams(params);
        const owner = await replicas.ownerElsewhere(wanted.sessionId);
        if (owner !== undefined) return call.atReplica({ id: owner }, ownerMethods.handOver, params);
        await replicas.handOver(wanted, call.signal);
        return {};
      },
    },
  ],
  [
    hubMethods.machines,
    {
      use: 'look',
      run: async (params, { table }) => {
        const { sessionId } = parseSessionParams(params);
        await table.expect(sessionId);
        if (table.replicas !== undefined) return table.replicas.machinesFor(sessionId);
        return { machines: [], folder: table.session(sessionId)?.cwd ?? '' };
      },
    },
  ],
  [
    hubMethods.answers,
    {
      use: 'look-all',
      run: async (_params, { table }) => ({ answers: await readAnswers(table.options.answersFile) }),
    },
  ],
  [
    hubMethods.revoke,
    {
      use: 'administer',
      run: async (params, { table }) => {
        await revokeAnswer(table.options.answersFile, parseRevokeParams(params).id);
        return {};
      },
    },
  ],
]);
