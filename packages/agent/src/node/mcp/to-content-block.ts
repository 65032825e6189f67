import type { ContentBlock as McpContentBlock } from '@modelcontextprotocol/client';
import type { Annotations, ContentBlock } from '@parley/acp';

/** Converts content of an MCP tool for ACP, without `_meta`, which is for MCP clients. */
export function toContentBlock(block: McpContentBlock): ContentBlock {
  const hints = toAnnotations(block.annotations);
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, ...hints };
    case 'image':
      return { type: 'image', data: block.data, mimeType: block.mimeType, ...hints };
    case 'audio':
      return { type: 'audio', data: block.data, mimeType: block.mimeType, ...hints };
    case 'resource_link':
      return {
        type: 'resource_link',
        name: block.name,
        uri: block.uri,
        ...(block.title !== undefined && { title: block.title }),
        ...(block.description !== undefined && { description: block.description }),
        ...(block.mimeType !== undefined && { mimeType: block.mimeType }),
        ...(typeof block.size === 'number' && { size: block.size }),
        ...hints,
      };
    case 'resource': {
      const { resource } = block;
      const shared = {
        uri: resource.uri,
        ...(resource.mimeType !== undefined && { mimeType: resource.mimeType }),
      };
      return {
        type: 'resource',
        resource:
          'text' in resource ? { ...shared, text: resource.text } : { ...shared, blob: resource.blob },
        ...hints,
      };
    }
  }
}

function toAnnotations(
  given: McpContentBlock['annotations'],
): { readonly annotations: Annotations } | undefined {
  if (given === undefined) return undefined;
  return {
    annotations: {
      ...(given.audience !== undefined && { audience: given.audience }),
      ...(given.priority !== undefined && { priority: given.priority }),
      ...(given.lastModified !== undefined && { lastModified: given.lastModified }),
    },
  };
}
