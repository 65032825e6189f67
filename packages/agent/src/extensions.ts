import { invalidParams } from '@parley/acp';
import type { AgentOptions } from '@parley/acp/unstable';
import type { Dialect } from './dialect.ts';
import { sendConfigOptions } from './handlers.ts';
import { changeModel, parseModelChange, setModelByName } from './session/model-change.ts';
import { refuseOtherKeys } from './session/refuse-other-keys.ts';
import type { Session } from './session/session.ts';
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

type Extensions = NonNullable<AgentOptions['extensions']>;

/** The extensions of source document 001 that a client can call. */
export function agentaoExtensions(sessions: Sessions, dialect: Dialect | undefined): Extensions {
  return {
    [setModel.method]: {
      description: setModel.description,
      handle: async (raw, { client }) => {
        const { session, params } = ofSession(raw, sessions);
        const result = await setModelByName(session, params, otherKeysOf(dialect));
        await sendConfigOptions(client, session);
        return result;
      },
    },
  };
}

/** Methods that older clients call; they are not advertised. */
export function legacyMethods(sessions: Sessions, dialect: Dialect | undefined): Extensions {
  const otherKeys = otherKeysOf(dialect);
  return {
    'session/set_model': {
      handle: async (raw, { client }) => {
        const { session, params } = ofSession(raw, sessions);
        await changeModel(session, parseModelChange(params, otherKeys));
        await sendConfigOptions(client, session);
        const { name, contextSize, maxTokens = null } = session.model;
        return { model: name, contextLength: contextSize, maxTokens };
      },
    },
    'session/list_models': {
      handle: (raw) => {
        const { session, params } = ofSession(raw, sessions);
        refuseOtherKeys(params, ['sessionId', ...otherKeys]);
        return { models: session.model.names };
      },
    },
  };
}

/** The protocol has `_meta` everywhere, source document 001 has it nowhere. */
function otherKeysOf(dialect: Dialect | undefined): readonly string[] {
  return dialect === undefined ? ['_meta'] : [];
}

function ofSession(raw: unknown, sessions: Sessions): { readonly session: Session; readonly params: object } {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw invalidParams('', 'an object');
  if (!('sessionId' in raw) || typeof raw.sessionId !== 'string') throw invalidParams('sessionId', 'a text');
  return { session: sessions.find(raw.sessionId), params: raw };
}
