/**
 * Returns the text in a call's raw output, for a call without other content: a text, the field `output`, or the
 * result of an MCP tool, which some agents pass on unchanged. Undefined for anything else.
 */
export function rawOutputText(rawOutput: unknown): string | undefined {
  if (typeof rawOutput === 'string') return rawOutput;
  const output = fieldOf(rawOutput, 'output');
  if (typeof output === 'string') return output;
  const result = fieldOf(rawOutput, 'result') ?? rawOutput;
  const content = fieldOf(result, 'content');
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((block: unknown) => fieldOf(block, 'text')).filter(isText);
  return texts.length === 0 ? undefined : texts.join('\n');
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
