import { invalidParams } from '@parley/acp';
import type { AgentOptions } from '@parley/acp';
import { tellConfigOptions } from './handlers.ts';
import { setModelByName } from './session/config-options.ts';
import type { Sessions } from './session/sessions.ts';

const setModel = {
  method: '_agentao.cn/set_model',
  description:
    'Changes the model of a session within its provider: {sessionId, model}, answered with {model}.',
} as const;

const askUser = {
  method: '_agentao.cn/ask_user',
  description: 'The agent asks the user: {sessionId, question}, answered with {answer}.',
} as const;

/** Source document 001, C.1: the extension methods, as the answer to `initialize` lists them in its `_meta`. */
export const extensionList: readonly { readonly method: string; readonly description: string }[] = [
  askUser,
  setModel,
];

/** The extensions of source document 001 that a client can call. */
export function agentaoExtensions(sessions: Sessions): NonNullable<AgentOptions['extensions']> {
  return {
    [setModel.method]: {
      description: setModel.description,
      handle: async (params, { client }) => {
        if (typeof params !== 'object' || params === null || Array.isArray(params)) {
          throw invalidParams('', 'an object');
        }
        if (!('sessionId' in params) || typeof params.sessionId !== 'string') {
          throw invalidParams('sessionId', 'a text');
        }
        const session = sessions.find(params.sessionId);
        const result = await setModelByName(session, params);
        await tellConfigOptions(client, session);
        return result;
      },
    },
  };
}
