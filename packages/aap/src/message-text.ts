import type { ReceivedContent } from './received.ts';

/** Returns the text of a message, without its other blocks. */
export function messageText({
  content = '',
}: {
  readonly role: string;
  readonly content?: ReceivedContent;
}): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
