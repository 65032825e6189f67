import type { ContentBlock, Notice, SessionUpdate } from '@parley/acp';
import { toPlainLine } from './plain.ts';

/** What is worth the user's attention, in one line. */
export function toNotice({ title, description }: Notice): string {
  return description === undefined
    ? toPlainLine(title)
    : `${toPlainLine(title)}: ${toPlainLine(description, 1000)}`;
}

/** How far a compaction of the conversation is. */
export function toCompactionState({
  status,
  error,
}: Extract<SessionUpdate, { readonly sessionUpdate: 'compaction_update' }>): string {
  const state = status.replaceAll('_', ' ');
  return typeof error === 'string' ? `${state}: ${error}` : state;
}

/** How far a step of a plan is. */
export function planMark(status: string): string {
  if (status === 'completed') return '[x]';
  return status === 'in_progress' ? '[>]' : '[ ]';
}

/** The words of a content block; for what is none, what it is. */
export function toWords(content: ContentBlock): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'resource_link':
      return `[${toPlainLine(content.uri)}]`;
    case 'resource':
      return `[${toPlainLine(content.resource.uri)}]`;
    case 'image':
    case 'audio':
      return `[${content.type}: ${toPlainLine(content.mimeType)}]`;
    case 'unknown':
      return '';
  }
}
