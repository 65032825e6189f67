import type { Model, ModelPart, ModelRequest } from '../src/model/model.ts';

/** A model that gives these responses in order, repeats the last one, and stores its requests. */
export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
}

export function scriptedModel(
  responses: readonly (readonly ModelPart[])[] = [[]],
  options: Partial<Pick<Model, 'takesImages'>> = { takesImages: true },
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    id: 'test/scripted',
    contextSize: 200_000,
    ...options,
    requests,
    respond: async function* respond(request) {
      const parts = responses[Math.min(requests.length, responses.length - 1)] ?? [];
      // As it is now: the conversation goes on.
      requests.push({ ...request, messages: [...request.messages] });
      yield* parts;
    },
  };
}
