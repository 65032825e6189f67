import { decodedBytes, type ModelImage } from './image.ts';
import type { ModelMessage } from './model.ts';

/** How many characters of Base64 the images of a message have. */
export function countImageCharacters(message: ModelMessage): number {
  return imagesOf(message).reduce((sum, { data }) => sum + data.length, 0);
}

/** Replaces each image of a message with a text that says why it is missing. */
export function withoutImages(message: ModelMessage, reason: string): ModelMessage {
  if (imagesOf(message).length === 0) return message;
  switch (message.role) {
    case 'assistant':
      return message;
    case 'user': {
      const { images = [], context = [], ...rest } = message;
      const notes = images.map((image) => ({ source: image.source ?? 'image', text: toNote(image, reason) }));
      return { ...rest, context: [...context, ...notes] };
    }
    case 'tool':
      return {
        role: 'tool',
        results: message.results.map(({ images = [], ...result }) => ({
          ...result,
          text: [result.text, ...images.map((image) => toNote(image, reason))].join('\n'),
        })),
      };
  }
}

/** The images of a message, in order. */
export function imagesOf(message: ModelMessage): readonly ModelImage[] {
  switch (message.role) {
    case 'assistant':
      return [];
    case 'user':
      return message.images ?? [];
    case 'tool':
      return message.results.flatMap(({ images = [] }) => images);
  }
}

function toNote({ mimeType, data }: ModelImage, reason: string): string {
  return `[${mimeType}, about ${String(decodedBytes(data))} bytes, omitted: ${reason}]`;
}
