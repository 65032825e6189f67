import { valueAt } from '@parley/wire';

/** What a model of OpenAI says instead of an answer, in a piece of its stream as it came: the AI SDK leaves it out. */
export function refusalIn(chunk: unknown): string | undefined {
  const choices = valueAt(chunk, 'choices');
  const refusal = Array.isArray(choices) ? valueAt(choices[0], 'delta', 'refusal') : undefined;
  return typeof refusal === 'string' && refusal !== '' ? refusal : undefined;
}
