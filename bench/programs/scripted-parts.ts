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
  const { text, call } = respondTo(...askedFor(messages));
  yield { type: 'text', text };
  if (call !== undefined) {
    const { id, path, line } = call;
    yield { type: 'tool-call', id, name: 'read', input: { path, line } };
  }
  yield { type: 'stop', reason: call === undefined ? 'end' : 'tool-calls' };
}

/** The prompt of the running turn and its finished steps, by the last message alone: a model that searched them all would be measured. */
function askedFor(messages: ModelRequest['messages']): [prompt: string, doneSteps: number] {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return [last?.text ?? '0', 0];
  const [step = '0', prompt = '0'] = last.results[0]?.id.split(' of ') ?? [];
  return [prompt, Number(step) + 1];
}
