import type { PromptCapabilities } from '@parley/acp';
import { attachmentLimits } from '../limits.ts';
import {
  createId,
  judgeContent,
  judgeFile,
  type Attachment,
  type MediaAttachment,
  type Refusal,
} from './attachment.ts';

/** What became of a file. */
export type ReadFile = { readonly attachment: Attachment } | { readonly refusal: Refusal };

/** Reads a file to attach; large images are scaled down. Never rejects. */
export async function readAttachment(
  file: File,
  { capabilities, attached }: { readonly capabilities: PromptCapabilities; readonly attached: number },
): Promise<ReadFile> {
  const decision = judgeFile(file, capabilities, attached);
  if (decision.as === 'nothing') return { refusal: decision.refusal };
  try {
    if (decision.as === 'image') return { attachment: await readImage(file) };
    if (decision.as === 'audio') return { attachment: await toMedia('audio', file, file.name) };
    return await readOther(file, capabilities);
  } catch {
    return { refusal: { why: 'unreadable' } };
  }
}

async function readOther(file: File, capabilities: PromptCapabilities): Promise<ReadFile> {
  const text = toText(await file.arrayBuffer());
  const refusal = judgeContent(file, text !== undefined, capabilities);
  if (refusal !== undefined) return { refusal };
  if (text === undefined) return { attachment: await toMedia('binary', file, file.name) };
  const type = file.type === '' ? {} : { mimeType: file.type };
  return { attachment: { kind: 'text', id: createId(), name: file.name, text, ...type } };
}

/** Undefined when it is no text. */
function toText(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The types of images that models take. */
const takenTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

async function readImage(file: File): Promise<MediaAttachment> {
  const { imagePixels, sentImageBytes } = attachmentLimits;
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, imagePixels / Math.max(bitmap.width, bitmap.height));
  if (scale === 1 && takenTypes.has(file.type) && file.size <= sentImageBytes) {
    bitmap.close();
    return await toMedia('image', file, file.name);
  }
  try {
    return await toMedia('image', await redraw(bitmap, scale, file.type), file.name);
  } finally {
    bitmap.close();
  }
}

/** Draws an image again, smaller; as JPEG when it would be too large otherwise. */
async function redraw(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser provides no canvas');
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const lossless = type === 'image/jpeg' ? undefined : await toBlob(canvas, 'image/png');
  if (lossless !== undefined && lossless.size <= attachmentLimits.sentImageBytes) return lossless;
  // What is transparent would be black in a JPEG.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return await toBlob(canvas, 'image/jpeg');
}

async function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return await new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => {
        if (blob === null) reject(new Error('the browser provides no canvas'));
        else resolve(blob);
      },
      type,
      0.85,
    );
  });
}

async function toMedia(kind: MediaAttachment['kind'], blob: Blob, name: string): Promise<MediaAttachment> {
  const mimeType = blob.type === '' ? 'application/octet-stream' : blob.type;
  return { kind, id: createId(), name, mimeType, data: await toBase64(blob) };
}

async function toBase64(blob: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      resolve(typeof reader.result === 'string' ? reader.result : '');
    });
    reader.addEventListener('error', () => {
      reject(new Error('the file cannot be read'));
    });
    reader.readAsDataURL(blob);
  });
  return url.slice(url.indexOf(',') + 1);
}
