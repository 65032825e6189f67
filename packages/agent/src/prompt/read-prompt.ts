import type { ContentBlock, EmbeddedResourceResource } from '@parley/acp';
import { decodedBytes, toModelImage } from '../model/image.ts';
import type { ModelMessage } from '../model/model.ts';
import type { Turn } from '../turn/turn.ts';
import { Attachments } from './attachments.ts';
import { parseFileLink } from './file-link.ts';
import { findMentions } from './find-mentions.ts';
import { promptText } from './prompt-text.ts';

/** Words with an `@` that are checked as mentions. */
const mostMentions = 200;

/**
 * Converts a prompt for the model: the user's words, and separately the attached or mentioned files, folders,
 * resources and images. What cannot be attached stays a reference with the reason.
 */
export async function readPrompt(turn: Turn, prompt: readonly ContentBlock[]): Promise<ModelMessage> {
  const attachments = new Attachments(turn);
  let mentions = 0;
  for (const block of prompt) {
    switch (block.type) {
      case 'text':
        for (const mention of findMentions(block.text)) {
          mentions += 1;
          if (mentions <= mostMentions) await attachments.addMention(mention);
        }
        break;
      case 'resource_link':
        await addLink(attachments, block.uri);
        break;
      case 'image':
        await addImage(turn, attachments, { type: block.mimeType, data: block.data, source: block.uri });
        break;
      case 'resource':
        await addResource(turn, attachments, block.resource);
        break;
      case 'audio':
      case 'unknown':
        // Not declared, so the connection refuses them before.
        break;
    }
  }
  return attachments.toMessage(promptText(prompt));
}

async function addLink(attachments: Attachments, uri: string): Promise<void> {
  const link = parseFileLink(uri);
  if (link !== undefined) await attachments.addFile(link);
  else attachments.addText(uri, '[Not attached: only files are. The address is all there is.]');
}

interface GivenImage {
  readonly type: string;
  readonly data: string;
  readonly source: string | undefined;
}

async function addImage(
  { client, conversation }: Turn,
  attachments: Attachments,
  { type, data, source }: GivenImage,
): Promise<void> {
  const image = toModelImage(data, type, source);
  if (image !== undefined) {
    attachments.addImage(image);
    return;
  }
  const title = `An image of type ${type} is left out`;
  const description = 'Models take PNG, JPEG, GIF and WebP.';
  const note = `[Not attached: ${type}, about ${String(decodedBytes(data))} bytes. ${description}]`;
  attachments.addText(source ?? 'image', note);
  await client.notify(conversation.createMessageId(), { title, description });
}

async function addResource(
  turn: Turn,
  attachments: Attachments,
  resource: EmbeddedResourceResource,
): Promise<void> {
  const { uri, mimeType = 'unknown type' } = resource;
  if ('text' in resource) attachments.addText(uri, resource.text);
  else if (mimeType.startsWith('image/')) {
    await addImage(turn, attachments, { type: mimeType, data: resource.blob, source: uri });
  } else {
    const what = `${mimeType}, about ${String(decodedBytes(resource.blob))} bytes`;
    attachments.addText(uri, `[Not attached: ${what}. It is neither text nor an image.]`);
  }
}
