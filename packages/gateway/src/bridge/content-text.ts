import type { ContentBlock } from '@parley/acp';

/** A content block as text: a link for a reference, a note for content that cannot be shown as text. */
export function contentText(content: ContentBlock): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'image':
      return `[an image, ${content.mimeType}]`;
    case 'audio':
      return `[a sound, ${content.mimeType}]`;
    case 'resource_link':
      return `[${content.title ?? content.name}](${content.uri})`;
    case 'resource': {
      const { resource } = content;
      return 'text' in resource ? resource.text : `[${resource.uri}]`;
    }
    case 'unknown':
      return '';
  }
}

/** An image as a `data:` URL. */
export function imageUrl({ data, mimeType }: { readonly data: string; readonly mimeType: string }): string {
  return `data:${mimeType};base64,${data}`;
}
