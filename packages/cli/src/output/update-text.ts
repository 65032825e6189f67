import type { ContentBlock, Notice, SessionUpdate } from '@parley/acp';
import type { SteeringOutcome } from '@parley/host';
import { toPlainLine, toPlainText } from './plain.ts';
import type { Style } from './style.ts';

/** What is worth the user's attention, in one line. */
export function toNotice({ title, description }: Notice): string {
  return description === undefined
    ? toPlainLine(title)
    : `${toPlainLine(title)}: ${toPlainLine(description, 1000)}`;
}

/** What a question of the agent was answered with, and by whom. */
export function toAnswer({
  action,
  by,
  chosen,
}: {
  readonly action: string;
  readonly by: string;
  readonly chosen?: readonly string[];
}): string {
  const words = chosen === undefined ? action : chosen.join(', ');
  return toPlainLine(`${words}, by ${by}`, 1000);
}

/** How far a compaction of the conversation is. */
export function toCompactionState({
  status,
  error,
}: Extract<SessionUpdate, { readonly sessionUpdate: 'compaction_update' }>): string {
  const state = status.replaceAll('_', ' ');
  return typeof error === 'string' ? `${state}: ${error}` : state;
}

/** A prompt of a user, or text that was sent into a turn, as lines. */
export function toPromptLines(text: string, style: Style): string {
  const lines = toPlainText(text).trimEnd().split('\n');
  return lines.map((line) => style.bold(`> ${line}`)).join('\n');
}

/** What became of text that was sent while a turn ran. */
export function toSteeringRemark(outcome: SteeringOutcome | 'sent'): string {
  switch (outcome) {
    case 'sent':
      return 'being sent to the running turn';
    case 'steered':
      return 'sent to the running turn';
    case 'queued':
      return 'queued: sent when this turn ends';
    case 'unknown':
      return 'it is unknown whether the agent received this; it is not sent again';
  }
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
