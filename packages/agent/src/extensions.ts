import { invalidParams } from '@parley/acp';
import type { AgentOptions } from '@parley/acp/unstable';
import type { Conversation } from './conversation/conversation.ts';
import type { Conversations } from './conversation/conversations.ts';
import { changeModel, parseModelChange, setModelByName } from './conversation/model-change.ts';
import { refuseOtherKeys } from './conversation/refuse-other-keys.ts';
import type { Dialect } from './dialect.ts';
import { sendConfigOptions } from './handlers.ts';

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
export function agentaoExtensions(conversations: Conversations, dialect: Dialect | undefined): Extensions {
  return {
    [setModel.method]: {
      description: setModel.description,
      handle: async (raw, { client }) => {
        const { conversation, params } = ofSession(raw, conversations);
        const result = await setModelByName(conversation, params, otherKeysOf(dialect));
        await sendConfigOptions(client, conversation);
        return result;
      },
    },
  };
}

/** Methods that older clients call; they are not advertised. */
export function legacyMethods(conversations: Conversations, dialect: Dialect | undefined): Extensions {
  const otherKeys = otherKeysOf(dialect);
  return {
    'session/set_model': {
      handle: async (raw, { client }) => {
        const { conversation, params } = ofSession(raw, conversations);
        await changeModel(conversation, parseModelChange(params, otherKeys));
        await sendConfigOptions(client, conversation);
        const { name, contextSize, maxTokens = null } = conversation.model;
        return { model: name, contextLength: contextSize, maxTokens };
      },
    },
    'session/list_models': {
      handle: (raw) => {
        const { conversation, params } = ofSession(raw, conversations);
        refuseOtherKeys(params, ['sessionId', ...otherKeys]);
        return { models: conversation.model.names };
      },
    },
  };
}

/** The protocol has `_meta` everywhere, source document 001 has it nowhere. */
function otherKeysOf(dialect: Dialect | undefined): readonly string[] {
  return dialect === undefined ? ['_meta'] : [];
}

function ofSession(
  raw: unknown,
  conversations: Conversations,
): { readonly conversation: Conversation; readonly params: object } {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw invalidParams('', 'an object');
  if (!('sessionId' in raw) || typeof raw.sessionId !== 'string') throw invalidParams('sessionId', 'a text');
  return { conversation: conversations.find(raw.sessionId), params: raw };
}
