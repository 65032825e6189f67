import type { ContentBlock, TextContentBlock } from '@parley/acp';

/** The content of a message. */
export interface Blocks {
  readonly blocks: readonly ContentBlock[];
  readonly cutPieces?: number;
}

/** Displayed text of one message; the event log contains all of it. */
const textLimit = 4 * 1024 * 1024;

/** Displayed blocks of one message. */
const blockLimit = 1000;

/** A message with one more chunk: text is appended to the text before it. */
export function withPiece({ blocks, cutPieces = 0 }: Blocks, piece: ContentBlock): Blocks {
  const last = blocks.at(-1);
  // What comes after a cut is not shown either: a message with a hole in it would be another one.
  if (cutPieces > 0) return { blocks, cutPieces: cutPieces + 1 };
  if (last?.type === 'text' && piece.type === 'text' && isPlain(last) && isPlain(piece)) {
    if (last.text.length + piece.text.length > textLimit) return { blocks, cutPieces: 1 };
    return { blocks: blocks.with(blocks.length - 1, { type: 'text', text: last.text + piece.text }) };
  }
  return blocks.length >= blockLimit ? { blocks, cutPieces: 1 } : { blocks: [...blocks, piece] };
}

/** The message as one text, to compare it with another. */
export function textOf(blocks: readonly ContentBlock[]): string {
  const [only] = blocks;
  return blocks.length === 1 && only !== undefined ? pieceText(only) : blocks.map(pieceText).join('');
}

/** What a piece adds to that text. */
export function pieceText(piece: ContentBlock): string {
  if (piece.type === 'text') return piece.text;
  return `\u0000${JSON.stringify(piece)}\u0000`;
}

/** Whether the chunk is text without annotations or `_meta`. */
function isPlain({ annotations, _meta }: TextContentBlock): boolean {
  return annotations === undefined && _meta === undefined;
}
