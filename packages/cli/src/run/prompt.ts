import type { Readable } from 'node:stream';
import type { ContentBlock } from '@parley/acp';
import { CliError } from '../cli-error.ts';
import { decodeInput, readInputFile } from '../input-file.ts';
import { readStandardInput } from '../standard-input.ts';
import type { PromptSource } from './flags.ts';

/** Reads the words of the prompt from where the flags say they are. */
export async function readPrompt(
  source: PromptSource,
  standardInput: Readable,
  signal: AbortSignal,
): Promise<string> {
  switch (source.kind) {
    case 'text':
      return source.text;
    case 'file':
      return toWords(
        await readInputFile(source.file, { label: source.file, code: 'usage', signal }),
        source.file,
      );
    case 'standard-input':
      return toWords(await readStandardInput(standardInput, { code: 'usage', signal }), 'standard input');
  }
}

/** Reads a picture as a content block; what it is, its first bytes say. */
export async function readImage(file: string, signal: AbortSignal): Promise<ContentBlock> {
  const bytes = await readInputFile(file, { label: `--image ${file}`, code: 'usage', signal });
  const mimeType = toImageType(bytes);
  if (mimeType === undefined) throw new CliError('usage', `--image ${file}: neither PNG, JPEG, GIF nor WebP`);
  return { type: 'image', data: bytes.toString('base64'), mimeType };
}

/** The media type of a picture, by its first bytes. */
export function toImageType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (start.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  return undefined;
}

function toWords(bytes: Uint8Array, label: string): string {
  const text = decodeInput(bytes, { label, code: 'usage' });
  if (text.trim() === '') throw new CliError('usage', `${label}: the prompt is empty`);
  // The newline at the end of a file is the file's, not the prompt's.
  return text.replace(/[\r\n]+$/, '');
}
