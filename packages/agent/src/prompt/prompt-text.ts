import type { ContentBlock } from '@parley/acp';

/** The text of a prompt. Links and resources become references `[title](uri)` on lines of their own. */
export function promptText(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap(blockText).join('\n\n');
}

function blockText(block: ContentBlock): string[] {
  switch (block.type) {
    case 'text':
      return [block.text];
    case 'resource_link':
      return [toReference([block.title, block.name, block.uri], block.uri)];
    case 'resource':
      return [toReference([block.resource.uri], block.resource.uri)];
    case 'image':
    case 'audio':
    case 'unknown':
      return [];
  }
}

function toReference(labels: readonly (string | undefined)[], uri: string): string {
  const label = labels
    .map((text) => text?.replace(/[[\]\s]+/gu, ' ').trim())
    .find((text) => text !== undefined && text !== '');
  return `[${label ?? 'link'}](${uri.trim().replace(/\s/gu, encodeURIComponent)})`;
}
