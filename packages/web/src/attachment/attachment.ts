import type { PromptCapabilities } from '@parley/acp';
import { attachmentLimits } from '../limits.ts';

/** A file, image or text that is sent with a prompt. */
export type Attachment = MediaAttachment | TextAttachment | PasteAttachment;

/** An image, a sound, or a file that is no text; `data` is base64. */
export interface MediaAttachment {
  readonly kind: 'image' | 'audio' | 'binary';
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly data: string;
}

/** A file that is text. */
export interface TextAttachment {
  readonly kind: 'text';
  readonly id: string;
  readonly name: string;
  readonly mimeType?: string;
  readonly text: string;
}

/** A pasted text that is too long to stand in the box. */
export interface PasteAttachment {
  readonly kind: 'paste';
  readonly id: string;
  readonly text: string;
}

/** A file that the user wants to attach. */
export interface GivenFile {
  readonly name: string;
  /** The type that the browser reports; empty if unknown. */
  readonly type: string;
  readonly size: number;
}

/** Why a file is not attached. */
export type Refusal =
  | { readonly why: 'empty' | 'unreadable' }
  | { readonly why: 'too-many'; readonly limit: number }
  | { readonly why: 'too-large'; readonly limitBytes: number }
  /** The capability that the agent lacks. */
  | { readonly why: 'not-taken'; readonly needs: 'image' | 'audio' | 'embeddedContext' };

/** How to attach a file. */
export type FileDecision =
  | { readonly as: 'image' | 'audio' }
  /** As text or binary, which depends on its content. */
  | { readonly as: 'file' }
  | { readonly as: 'nothing'; readonly refusal: Refusal };

/** How to attach a file, judged by its name, type and size. */
export function judgeFile(file: GivenFile, capabilities: PromptCapabilities, attached: number): FileDecision {
  const { count, imageBytes, mediaBytes } = attachmentLimits;
  if (attached >= count) return refused({ why: 'too-many', limit: count });
  if (file.size === 0) return refused({ why: 'empty' });
  const kind = kindOf(file.type);
  if (kind === 'image') {
    if (capabilities.image !== true) return refused({ why: 'not-taken', needs: 'image' });
    return file.size > imageBytes ? tooLarge(imageBytes) : { as: 'image' };
  }
  if (kind === 'audio') {
    if (capabilities.audio !== true) return refused({ why: 'not-taken', needs: 'audio' });
    return file.size > mediaBytes ? tooLarge(mediaBytes) : { as: 'audio' };
  }
  return file.size > mediaBytes ? tooLarge(mediaBytes) : { as: 'file' };
}

/** How to attach a file whose content is known: without text, it can only be embedded. */
export function judgeContent(
  { size }: GivenFile,
  isText: boolean,
  capabilities: PromptCapabilities,
): Refusal | undefined {
  if (isText) {
    const limitBytes = attachmentLimits.textBytes;
    return size > limitBytes ? { why: 'too-large', limitBytes } : undefined;
  }
  return capabilities.embeddedContext === true ? undefined : { why: 'not-taken', needs: 'embeddedContext' };
}

/** Whether another attachment fits within the limits. */
export function fits(attachments: readonly Attachment[], next: Attachment): boolean {
  return (
    attachments.length < attachmentLimits.count &&
    [...attachments, next].reduce((sum, each) => sum + lengthOf(each), 0) <= attachmentLimits.length
  );
}

/** The attachments that the agent does not support, because another agent was chosen or its capabilities changed. */
export function notTaken(
  attachments: readonly Attachment[],
  capabilities: PromptCapabilities,
): readonly MediaAttachment[] {
  return attachments.filter((each): each is MediaAttachment => {
    switch (each.kind) {
      case 'image':
        return capabilities.image !== true;
      case 'audio':
        return capabilities.audio !== true;
      case 'binary':
        return capabilities.embeddedContext !== true;
      case 'text':
      case 'paste':
        return false;
    }
  });
}

/** Whether a pasted text is long enough to become an attachment. */
export function isLongPaste(text: string): boolean {
  const { pasteLength, pasteLines } = attachmentLimits;
  return text.length > pasteLength || countLines(text, pasteLines + 1) > pasteLines;
}

/** How many lines a text has, counted up to a limit. */
export function countLines(text: string, limit = Number.POSITIVE_INFINITY): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && lines < limit; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** An id for an attachment; pages that did not come over TLS or from this machine have no better one. */
export function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('');
}

/** How long an attachment is as it is sent, in characters. */
function lengthOf(attachment: Attachment): number {
  return 'data' in attachment ? attachment.data.length : attachment.text.length;
}

function kindOf(type: string): 'image' | 'audio' | 'file' {
  // A drawing in SVG is text, and no model takes it as an image.
  if (type.startsWith('image/') && type !== 'image/svg+xml') return 'image';
  return type.startsWith('audio/') ? 'audio' : 'file';
}

function tooLarge(limitBytes: number): FileDecision {
  return refused({ why: 'too-large', limitBytes });
}

function refused(refusal: Refusal): FileDecision {
  return { as: 'nothing', refusal };
}
