import { invalidParams } from '@parley/acp';
import type { ContentBlock } from '@parley/acp';
import type { AgentLimits } from '../limits.ts';
import { decodedBytes, isBase64 } from '../model/image.ts';

/**
 * @throws {RpcError} -32602: there is no block, an image has another type, is no Base64 or too large, or there are too
 *   many of them. Names the block.
 */
export function checkPrompt(
  prompt: readonly ContentBlock[],
  { promptImages, imageBytes, imageChars }: AgentLimits,
): void {
  if (prompt.length === 0) throw invalidParams('prompt', 'at least one block');
  let images = 0;
  let chars = 0;
  for (const [index, block] of prompt.entries()) {
    if (block.type === 'image' && !isImageType(block.mimeType)) {
      throw invalidParams(`prompt[${String(index)}].mimeType`, 'an image type');
    }
    const image = imageIn(block);
    if (image === undefined) continue;
    const place = `prompt[${String(index)}].${image.field}`;
    images += 1;
    chars += image.data.length;
    if (images > promptImages) {
      throw invalidParams(place, `at most ${String(promptImages)} images in a prompt`);
    }
    if (decodedBytes(image.data) > imageBytes) {
      throw invalidParams(place, `an image of at most ${String(imageBytes)} bytes`);
    }
    if (chars > imageChars) {
      throw invalidParams(place, `images of at most ${String(imageChars)} characters together`);
    }
    if (!isBase64(image.data)) throw invalidParams(place, 'an image in Base64');
  }
}

function imageIn(block: ContentBlock): { readonly field: string; readonly data: string } | undefined {
  if (block.type === 'image') return { field: 'data', data: block.data };
  if (block.type !== 'resource' || !('blob' in block.resource)) return undefined;
  const { blob, mimeType = '' } = block.resource;
  return isImageType(mimeType) ? { field: 'resource.blob', data: blob } : undefined;
}

function isImageType(mimeType: string): boolean {
  return mimeType.trim().toLowerCase().startsWith('image/');
}
