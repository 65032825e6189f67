/** What a model of OpenAI says instead of an answer, in a piece of its stream as it came: the AI SDK leaves it out. */
export function refusalIn(chunk: unknown): string | undefined {
  if (!isObject(chunk) || !('choices' in chunk) || !Array.isArray(chunk.choices)) return undefined;
  const first: unknown = chunk.choices[0];
  if (!isObject(first) || !('delta' in first) || !isObject(first.delta)) return undefined;
  const { delta } = first;
  if (!('refusal' in delta) || typeof delta.refusal !== 'string' || delta.refusal === '') return undefined;
  return delta.refusal;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
