import type { Model, ModelPart, ModelRequest } from '../src/model/model.ts';

/** A model whose responses depend on the first prompt of the conversation. */
export interface ConversationModel extends Model {
  readonly requests: readonly ModelRequest[];
}

/**
 * @param scripts The responses, by the first prompt of a conversation; after the last one, it answers "done".
 *
 * @param before Awaited before each response.
 */
export function conversationModel(
  scripts: Readonly<Record<string, readonly (readonly ModelPart[])[]>>,
  before: (prompt: string, signal: AbortSignal) => void | Promise<void> = () => undefined,
): ConversationModel {
  const requests: ModelRequest[] = [];
  return {
    id: 'test/scripted',
    contextSize: 200_000,
    requests,
    respond: async function* respond(request, signal) {
      requests.push({ ...request, messages: [...request.messages] });
      const [first] = request.messages;
      const prompt = first?.role === 'user' ? first.text : '';
      const step = request.messages.filter(({ role }) => role === 'assistant').length;
      await before(prompt, signal);
      yield* scripts[prompt]?.[step] ?? [{ type: 'text', text: 'done' }];
    },
  };
}

/** A part that calls a tool. */
export function toolCall(name: string, input: unknown, id: string = name): ModelPart {
  return { type: 'tool-call', id, name, input };
}
