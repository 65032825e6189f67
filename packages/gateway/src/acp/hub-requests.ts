import { invalidRequest } from '@parley/acp';
import { hubMethods } from '@parley/host/hub';
import { mayAdminister } from '../access/session-access.ts';
import { readAnswers, revokeAnswer } from '../hub/remembered-answers.ts';
import type { HubRequest } from './hub-call.ts';
import {
  parseAnswerParams,
  parseCancelParams,
  parseQueueParams,
  parseRenameParams,
  parseRevokeParams,
  parseSessionParams,
  parseSignInParams,
} from './hub-params.ts';

/** What a client can ask beyond ACP that needs no knowledge of its connection, by method. */
export const hubRequests: ReadonlyMap<string, HubRequest> = new Map<string, HubRequest>([
  [
    hubMethods.answer,
    {
      use: 'change',
      run: async (params, { table, from, method, principal }) => {
        const { sessionId, requestId, answer } = parseAnswerParams(params);
        // It would decide in the sessions of other tokens too.
        const isShared =
          answer.kind === 'remember' && (answer.scope === 'project' || answer.scope === 'user');
        if (isShared && !mayAdminister(principal)) {
          throw invalidRequest(
            `${method}: an answer beyond the session is for tokens of scope admin; answer for "turn" or "session"`,
          );
        }
        // It would sign in all sessions of that agent.
        if (answer.kind === 'sign-in' && !mayAdminister(principal)) {
          throw invalidRequest(`${method}: signing in to an agent is for tokens of scope admin`);
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
      run: async (params, { table }) => {
        const { sessionId, change } = parseQueueParams(params);
        (await table.steer(sessionId)).turns.change(change);
        return {};
      },
    },
  ],
  [
    hubMethods.rename,
    {
      use: 'change',
      run: async (params, { table }) => {
        const { sessionId, title } = parseRenameParams(params);
        (await table.steer(sessionId)).rename(title);
        return {};
      },
    },
  ],
  [
    hubMethods.cancel,
    {
      use: 'change',
      run: async (params, { table }) => {
        const { sessionId, graceMs } = parseCancelParams(params);
        await table.cancel(sessionId, graceMs === undefined ? {} : { graceMs });
        return {};
      },
    },
  ],
  [
    hubMethods.restart,
    {
      use: 'change',
      run: async (params, { table }) => {
        await (await table.steer(parseSessionParams(params).sessionId)).restart();
        return {};
      },
    },
  ],
  [
    hubMethods.signIn,
    {
      use: 'administer',
      run: async (params, { table }) => {
        await table.signIn(parseSignInParams(params));
        return {};
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
