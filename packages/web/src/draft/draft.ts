import type { ContentBlock, PromptCapabilities } from '@parley/acp';
import type { Attachment } from '../attachment/attachment.ts';
import { mentionsIn } from '../completion/trigger.ts';

/** A prompt that is being written. */
export interface Draft {
  readonly text: string;
  /**
   * Files that were chosen after an `@`, relative to the folder of the session. Those that the text still names are
   * sent.
   */
  readonly files: readonly string[];
  readonly attachments: readonly Attachment[];
}

/** Nothing was written. */
export const emptyDraft: Draft = { text: '', files: [], attachments: [] };

/** Whether there is nothing to send. */
export function isBlank({ text, attachments }: Draft): boolean {
  return attachments.length === 0 && text.trim() === '';
}

/** Both, the first one before the other. */
export function joinDrafts(first: Draft, second: Draft): Draft {
  return {
    text: [first.text, second.text].filter((text) => text.trim() !== '').join('\n\n'),
    files: [...new Set([...first.files, ...second.files])],
    attachments: [...first.attachments, ...second.attachments],
  };
}

/** What the agent supports, and the folder of the session. */
export interface Destination {
  /** The folder of the session. */
  readonly cwd?: string;
  readonly capabilities?: PromptCapabilities;
}

/** The content of the prompt: its text, mentioned files and attachments. */
export function toBlocks(
  { text, files, attachments }: Draft,
  { cwd, capabilities = {} }: Destination,
): readonly ContentBlock[] {
  const words = text.trim();
  const links = cwd === undefined ? [] : mentionsIn(words, files);
  return [
    ...(words === '' ? [] : [{ type: 'text', text: words } as const]),
    ...links.map((path) => ({ type: 'resource_link', name: path, uri: fileUri(cwd ?? '/', path) }) as const),
    ...attachments.map((attachment) => toBlock(attachment, capabilities)),
  ];
}

/** The editable text of a prompt: that of its first text block. */
export function editableText(blocks: readonly ContentBlock[]): string {
  const first = blocks.find((block) => block.type === 'text');
  return first?.type === 'text' ? first.text : '';
}

/** The prompt with another text. Links to files that are not mentioned any more are left out. */
export function withEditedText(blocks: readonly ContentBlock[], text: string): readonly ContentBlock[] {
  const before = editableText(blocks);
  const at = blocks.findIndex((block) => block.type === 'text');
  const others = blocks.filter((block, index) => {
    if (index === at) return false;
    if (block.type !== 'resource_link' || mentionsIn(before, [block.name]).length === 0) return true;
    return mentionsIn(text, [block.name]).length > 0;
  });
  const words = text.trim();
  return words === '' ? others : [{ type: 'text', text: words }, ...others];
}

/** The address of a file below a folder, which may be one of Windows. */
export function fileUri(cwd: string, path: string): string {
  const whole = `${cwd.replaceAll('\\', '/').replace(/\/$/u, '')}/${path.replaceAll('\\', '/')}`;
  const segments = whole.split('/').map((segment) => encodeURIComponent(segment).replaceAll('%3A', ':'));
  return `file://${whole.startsWith('/') ? '' : '/'}${segments.join('/')}`;
}

function toBlock(attachment: Attachment, capabilities: PromptCapabilities): ContentBlock {
  switch (attachment.kind) {
    case 'image':
    case 'audio': {
      const { kind: type, mimeType, data } = attachment;
      return { type, mimeType, data };
    }
    case 'binary': {
      const { name, mimeType, data } = attachment;
      return { type: 'resource', resource: { uri: attachedUri(name), mimeType, blob: data } };
    }
    case 'text': {
      const { name, mimeType = 'text/plain', text } = attachment;
      return capabilities.embeddedContext === true
        ? { type: 'resource', resource: { uri: attachedUri(name), mimeType, text } }
        : { type: 'text', text: `\n\n${name}:\n\n${fenced(text)}` };
    }
    case 'paste':
      return { type: 'text', text: `\n\n${fenced(attachment.text)}` };
  }
}

const attachedScheme = 'attachment:///';

/** A URI for an attached file. Browsers do not know its path. */
function attachedUri(name: string): string {
  return `${attachedScheme}${encodeURIComponent(name)}`;
}

/** The name of an attached file; undefined for other URIs. */
export function attachedName(uri: string): string | undefined {
  if (!uri.startsWith(attachedScheme)) return undefined;
  try {
    return decodeURIComponent(uri.slice(attachedScheme.length));
  } catch {
    // Another client may have written it.
    return undefined;
  }
}

/** Between fences that are longer than those inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^`{3,}/gmu)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/u, '')}\n${fence}`;
}
