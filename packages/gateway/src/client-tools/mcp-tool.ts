import type { CallToolResult, ContentBlock as McpContentBlock, Tool } from '@modelcontextprotocol/server';
import type { ContentBlock, ImageContentBlock, JsonSchema, ToolSpec } from '@parley/aap';
import type { ToolAnswer } from './application-tools.ts';

/** An application's tool as MCP lists it. */
export function toMcpTool({ name, title, description, parameters }: ToolSpec): Tool {
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: toInputSchema(parameters),
  };
}

/** An application's answer as MCP has it. */
export function toMcpResult(answer: ToolAnswer): CallToolResult {
  return {
    content: typeof answer === 'string' ? [{ type: 'text', text: answer }] : answer.map(toMcpContent),
  };
}

/** The input schema of a tool. MCP and AAP accept only objects, so `type: object` is added if it is missing. */
function toInputSchema(parameters: JsonSchema): Tool['inputSchema'] {
  if (typeof parameters !== 'boolean') return { ...parameters, type: 'object' };
  return parameters ? { type: 'object' } : { type: 'object', not: {} };
}

function toMcpContent(block: ContentBlock): McpContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'text', text: block.thinking };
    case 'tool_use':
      return { type: 'text', text: JSON.stringify({ name: block.name, input: block.input }) };
    case 'image':
      return toMcpImage(block);
  }
}

function toMcpImage({ url }: ImageContentBlock): McpContentBlock {
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/su.exec(url) ?? [];
  return mimeType !== undefined && data !== undefined
    ? { type: 'image', mimeType, data }
    : { type: 'resource_link', uri: url, name: 'image' };
}
