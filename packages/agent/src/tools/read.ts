import { firstCharacters } from '../first-characters.ts';
import { toModelImage } from '../model/image.ts';
import { parseArguments } from './argument/arguments.ts';
import { pathSchema, toPathArgument } from './argument/path-argument.ts';
import { toTitle } from './argument/title.ts';
import { codeContent, textContent } from './content.ts';
import type { Tool, ToolOutput, Workplace } from './tool.ts';

/** `read`: the text of a file, whole or from a line on, or an image. */
export const readTool: Tool = {
  name: 'read',
  kind: 'read',
  description:
    "Reads a text file inside the session's directories, or shows an image (PNG, JPEG, GIF, WebP). Lines count from 1.",
  inputSchema: {
    type: 'object',
    properties: {
      path: pathSchema,
      line: { type: 'integer', minimum: 1, description: 'The first line to read' },
      limit: { type: 'integer', minimum: 1, description: 'How many lines to read' },
    },
    required: ['path'],
  },
  prepare(input, workplace) {
    const { limits } = workplace;
    const given = parseArguments('read', input);
    const { path, shown } = toPathArgument(given.word('path'), workplace);
    const line = given.optionalCount('line') ?? 1;
    const limit = Math.min(given.optionalCount('limit') ?? limits.readLines, limits.readLines);
    return {
      title: toTitle(`Read ${shown}`),
      locations: [line === 1 ? { path } : { path, line }],
      action: { kind: 'read' },
      run: async ({ signal }) => {
        const image = imageName.test(path) ? await readImage(path, workplace, signal) : undefined;
        return image ?? (await readLines({ path, line, limit }, workplace, signal));
      },
    };
  },
};

const imageName = /\.(?:png|jpe?g|gif|webp)$/iu;

async function readLines(
  { path, line, limit }: { readonly path: string; readonly line: number; readonly limit: number },
  { files, limits }: Workplace,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const file = await files.readText(path, { line, limit, maxBytes: limits.fileBytes, signal });
  const text = firstCharacters(file.text, limits.readChars);
  const lines = countLines(text);
  const truncated = text.length < file.text.length;
  const rawOutput = {
    path,
    line,
    lines,
    ...(file.hasMore !== true && { totalLines: file.lines }),
    truncated,
  };
  if (lines === 0) {
    const reason = file.lines === 0 ? 'The file is empty' : `The file has ${String(file.lines)} lines`;
    return { text: reason, content: [textContent(reason)], rawOutput };
  }
  const last = line + lines - 1;
  const total = `${String(file.lines)}${file.hasMore === true ? ' or more' : ''}`;
  const note =
    truncated || last < file.lines
      ? `\n[${truncated ? 'Truncated at' : 'More lines follow after'} line ${String(last)} of ${total}]`
      : '';
  return { text: text + note, content: [codeContent(text + note)], rawOutput };
}

/** Undefined where the file is no image, regardless of its name. */
async function readImage(
  path: string,
  { files, limits }: Workplace,
  signal: AbortSignal,
): Promise<ToolOutput | undefined> {
  const { base64, bytes } = await files.readBase64(path, { maxBytes: limits.imageBytes, signal });
  const image = toModelImage(base64, undefined, path);
  if (image === undefined) return undefined;
  const { mimeType, data } = image;
  return {
    text: `${path}: an image (${mimeType}, ${String(bytes)} bytes)`,
    images: [image],
    content: [{ type: 'content', content: { type: 'image', mimeType, data } }],
    rawOutput: { path, mimeType, bytes },
  };
}

function countLines(text: string): number {
  if (text === '') return 0;
  const breaks = text.match(/\n/gu)?.length ?? 0;
  return text.endsWith('\n') ? breaks : breaks + 1;
}
