import { agentRequests, Invalid, invalidParams, invalidRequest } from '@parley/acp';
import { isJsonObject } from '@parley/wire';
import type { AgentLimits } from '../limits.ts';
import { checkPrompt } from '../prompt/check-prompt.ts';
import type { Conversations } from './conversations.ts';

/** The request that sends text into a running turn: an extension of ACP that its most used adapters share. */
export const steeringMethod = '_session/steering';

/** Advertises it, in the `_meta` of the response to `initialize`. */
export const steeringMeta = { steering: { supported: true } } as const;

/**
 * @throws {RpcError} -32602 for invalid params; -32600 if no turn is running and the client did not ask for
 * `promptRequired`.
 */
export function steer(raw: unknown, conversations: Conversations, limits: AgentLimits): object {
  const params = agentRequests['session/prompt'].parseParams(raw);
  if (params instanceof Invalid) throw invalidParams(params.path, params.expected);
  const { sessionId, prompt, _meta = {} } = params;
  const asked: unknown = isJsonObject(_meta['steering']) ? _meta['steering']['idleBehavior'] : undefined;
  if (asked !== undefined && asked !== 'promptRequired') {
    throw invalidParams('_meta.steering.idleBehavior', '`promptRequired`');
  }
  checkPrompt(prompt, limits);
  switch (conversations.find(sessionId).steering.add(prompt)) {
    case 'injected':
      return { outcome: 'injected' };
    case 'not-running':
      if (asked === undefined) throw invalidRequest(`${steeringMethod}: no turn runs`);
      return { outcome: 'promptRequired', reason: 'noRunningTurn' };
    case 'full':
      throw invalidRequest(`${steeringMethod}: too many prompts wait for the next request to the model`);
  }
}
