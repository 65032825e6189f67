import { agentRequests, Invalid, invalidParams, invalidRequest, type ContentBlock } from '@parley/acp';
import { heldContent, type HeldContent, type QueuedPrompt } from '../../hub/hub-session.ts';

/** Characters of content that is sent to clients; longer content stays on the hub. */
const sentLength = 1000;

/**
 * A queued prompt as clients receive it: with its first text, which can be edited, and with long content shortened.
 * Every change of a session contains its queue, so an image would be sent again each time.
 */
export function withoutLongContent(prompt: QueuedPrompt): QueuedPrompt {
  const { id, blocks } = prompt;
  const first = blocks.findIndex(({ type }) => type === 'text');
  return {
    id,
    blocks: blocks.map((block, at) => {
      const length = contentOf(block)?.length ?? 0;
      return at === first || length <= sentLength ? block : withoutContent(block, { at, length });
    }),
  };
}

/**
 * The content of an edited prompt, completed with the content that was not sent to the client.
 *
 * @throws {RpcError} The prompt has changed since it was sent.
 */
export function withHeldContent(
  blocks: readonly ContentBlock[],
  { blocks: kept }: QueuedPrompt,
): readonly ContentBlock[] {
  return blocks.map((block) => {
    const held = heldIn(block);
    if (held === undefined) return block;
    const found = kept[held.at];
    if (found?.type === block.type && contentOf(found)?.length === held.length) return found;
    throw invalidRequest('the prompt changed in the meantime, and part of its content no longer exists');
  });
}

function withoutContent(block: ContentBlock, held: HeldContent): ContentBlock {
  if (block.type === 'unknown') return block;
  const meta = { ...block._meta, [heldContent]: held };
  switch (block.type) {
    case 'text':
      return { ...block, text: '', _meta: meta };
    case 'image':
    case 'audio':
      return { ...block, data: '', _meta: meta };
    case 'resource': {
      const { resource } = block;
      const empty = 'text' in resource ? { ...resource, text: '' } : { ...resource, blob: '' };
      return { ...block, resource: empty, _meta: meta };
    }
    case 'resource_link':
      return block;
  }
}

/** What may be long in it. */
function contentOf(block: ContentBlock): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return block.data;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : block.resource.blob;
    case 'resource_link':
    case 'unknown':
      return undefined;
  }
}

function heldIn(block: ContentBlock): HeldContent | undefined {
  if (block.type === 'unknown') return undefined;
  const held = block._meta?.[heldContent];
  if (typeof held !== 'object' || held === null || !('at' in held) || !('length' in held)) return undefined;
  const { at, length } = held;
  return typeof at === 'number' && typeof length === 'number' ? { at, length } : undefined;
}

/** Validates the content blocks of a prompt. @throws {RpcError} -32602. */
export function parsePromptBlocks(prompt: unknown, sessionId: string): readonly ContentBlock[] {
  const parsed = agentRequests['session/prompt'].parseParams({ sessionId, prompt });
  if (parsed instanceof Invalid) throw invalidParams('change.blocks', 'content of a prompt');
  return parsed.prompt;
}
