import type { ContentBlock, ToolCallContent } from '@parley/acp';
import { cutText } from '../cut-text.ts';
import { toModelImage } from '../model/image.ts';
import type { ModelImage } from '../model/image.ts';
import { codeContent } from '../tools/content.ts';
import type { ToolOutput } from '../tools/tool.ts';
import type { McpResult } from './mcp-connection.ts';

/** Limits of a stored result. */
export interface McpOutputLimits {
  /** Characters of text in one result, for the client and for the model. */
  readonly mcpResultChars: number;
  /** Characters of Base64 of one image, recording or resource. */
  readonly mcpBlobChars: number;
}

/** Converts the result of an MCP tool to the output of a tool call; it says what was cut or omitted. */
export function toToolOutput(result: McpResult, limits: McpOutputLimits): ToolOutput {
  const { structured, isError } = result;
  let room = limits.mcpResultChars;
  const fit = (text: string): string => {
    const kept = cutText(text, room);
    room = Math.max(0, room - text.length);
    return kept;
  };
  const shown: ToolCallContent[] = [];
  const texts: string[] = [];
  const images: ModelImage[] = [];
  for (const block of result.content) {
    const fitting = toFitting(block, limits.mcpBlobChars, fit);
    shown.push({ type: 'content', content: fitting });
    texts.push(toText(fitting));
    const image = toImage(fitting);
    if (image !== undefined) images.push(image);
  }
  if (result.content.length === 0 && structured !== undefined) {
    const text = fit(JSON.stringify(structured, null, 2));
    shown.push(codeContent(text));
    texts.push(text);
  }
  const text = texts.join('\n');
  const isSmall = structured !== undefined && JSON.stringify(structured).length <= limits.mcpResultChars;
  return {
    text: text === '' ? 'The tool answered with nothing' : text,
    ...(images.length > 0 && { images }),
    content: shown,
    rawOutput: { isError, ...(isSmall && { structuredContent: structured }) },
    isError,
  };
}

function toFitting(block: ContentBlock, blobChars: number, fit: (text: string) => string): ContentBlock {
  switch (block.type) {
    case 'text':
      return { ...block, text: fit(block.text) };
    case 'image':
    case 'audio':
      return block.data.length <= blobChars
        ? block
        : leftOut(`${block.type} ${block.mimeType}`, block.data.length);
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return { ...block, resource: { ...resource, text: fit(resource.text) } };
      return resource.blob.length <= blobChars ? block : leftOut(resource.uri, resource.blob.length);
    }
    case 'resource_link':
    case 'unknown':
      return block;
  }
}

function leftOut(what: string, characters: number): ContentBlock {
  return {
    type: 'text',
    text: `[Left out: ${what}, about ${String(Math.ceil((characters * 3) / 4))} bytes]`,
  };
}

/** What a model sees, if it sees. */
function toImage(block: ContentBlock): ModelImage | undefined {
  if (block.type === 'image') return toModelImage(block.data, block.mimeType, block.uri);
  if (block.type !== 'resource' || !('blob' in block.resource)) return undefined;
  const { blob, mimeType, uri } = block.resource;
  return toModelImage(blob, mimeType, uri);
}

/** A content block as text, for models that accept only text. */
function toText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}]`;
    case 'resource_link':
      return `[${block.title ?? block.name}](${block.uri})`;
    case 'resource':
      return 'text' in block.resource
        ? block.resource.text
        : `[${block.resource.uri} ${block.resource.mimeType ?? ''}]`;
    case 'unknown':
      return '[unknown content]';
  }
}
