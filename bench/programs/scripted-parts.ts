import type { Model, ModelPart, ModelRequest } from '@parley/agent';
import { respondTo } from './scripted-model.ts';

/** The scripted model as our agent takes one. */
export function createScriptedModel(contextSize = 1_000_000_000): Model {
  return {
    id: 'bench/scripted',
    contextSize,
    respond: ({ messages }) => toParts(messages),
  };
}

async function* toParts(messages: ModelRequest['messages']): AsyncGenerator<ModelPart, void, undefined> {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const prompt = messages[start];
  const { text, call } = respondTo(
    prompt?.role === 'user' ? prompt.text : '0',
    (messages.length - start - 1) / 2,
  );
  yield { type: 'text', text };
  if (call !== undefined) {
    const { id, path, line } = call;
    yield { type: 'tool-call', id, name: 'read', input: { path, line } };
  }
  yield { type: 'stop', reason: call === undefined ? 'end' : 'tool-calls' };
}
