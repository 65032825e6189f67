import type { ContentBlock, ToolResult } from '@parley/aap';
import type { ResultExtras } from '@parley/aap/server';
import type { Diff, ToolCallContent, ToolCallUpdate } from '@parley/acp';
import { rawOutputText } from '@parley/host';
import { createTwoFilesPatch } from 'diff';
import { contentText, imageUrl } from '../content-text.ts';
import { toDiff } from './tool-call-input.ts';

/** Characters of one result; longer results keep the beginning and the end. */
const resultChars = 1_000_000;

/** Maximum number of changed lines for a line-by-line diff, which takes quadratic time. */
const changedLines = 500;

/** Characters of a file, before and after, whose changes are listed line by line. */
const comparedChars = 2_000_000;

/** The result of a call, and the parts of it for which AAP has no field. */
export interface ToolOutcome {
  readonly content: ToolResult['content'];
  readonly extras: ResultExtras;
}

/** What a call that ended has produced. */
export function toOutcome(call: ToolCallUpdate): ToolOutcome {
  const { content = [], status, rawOutput } = call;
  const isError = status === 'failed';
  const blocks = joinTexts(content.flatMap(toBlocks));
  const text = blocks.length > 0 ? blocks : joinTexts(toRawBlocks(rawOutput));
  const diffs = content.flatMap((item) => (item.type === 'diff' ? [toDiff(item)] : []));
  return {
    content: toContent(isError ? asFailure(text) : text),
    extras: { ...(isError && { isError }), ...(diffs.length > 0 && { meta: { diffs } }) },
  };
}

/** What is sent of a running call. */
export function progressText({ content = [] }: ToolCallUpdate): string {
  return joinTexts(content.flatMap(toBlocks))
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('\n');
}

function toBlocks(item: ToolCallContent): readonly ContentBlock[] {
  switch (item.type) {
    case 'content': {
      if (item.content.type === 'image') return [{ type: 'image', url: imageUrl(item.content) }];
      return toTextBlocks(contentText(item.content));
    }
    case 'diff':
      return toTextBlocks(diffText(item));
    case 'terminal':
      // Terminals are the client's, and this one offers none: what is in it is in the raw output.
      return [];
    case 'session':
    case 'unknown':
      return [];
  }
}

/** A change of a file as a unified diff; one that is too large for that, in a sentence. */
function diffText({ path, oldText, newText }: Diff): string {
  if (oldText === newText) return '';
  const tooLarge = `${path}: changed, too large to list line by line`;
  if (newText.length + (oldText?.length ?? 0) > comparedChars) return tooLarge;
  const patch = createTwoFilesPatch(
    oldText === undefined ? '/dev/null' : path,
    path,
    oldText ?? '',
    newText,
    undefined,
    undefined,
    { maxEditLength: changedLines },
  );
  return patch === undefined ? tooLarge : patch.slice(patch.indexOf('---'));
}

/** The texts and output that agents send in `rawOutput` in addition to the content, or the same as JSON. */
function toRawBlocks(rawOutput: unknown): readonly ContentBlock[] {
  if (rawOutput === undefined || rawOutput === null) return [];
  return toTextBlocks(rawOutputText(rawOutput) ?? JSON.stringify(rawOutput));
}

function toTextBlocks(text: string): readonly ContentBlock[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** Texts that follow each other are one. */
function joinTexts(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const joined: ContentBlock[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (block.type === 'text' && last?.type === 'text') {
      joined[joined.length - 1] = { type: 'text', text: shorten(`${last.text}\n${block.text}`) };
    } else {
      joined.push(block.type === 'text' ? { type: 'text', text: shorten(block.text) } : block);
    }
  }
  return joined;
}

function shorten(text: string): string {
  if (text.length <= resultChars) return text;
  const half = resultChars / 2;
  const left = text.length - resultChars;
  return `${text.slice(0, half)}\n[… ${left} characters are left out …]\n${text.slice(-half)}`;
}

function asFailure(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const [first, ...others] = blocks;
  if (first?.type !== 'text') return [{ type: 'text', text: 'Failed.' }, ...blocks];
  return [{ type: 'text', text: `Failed: ${first.text}` }, ...others];
}

function toContent(blocks: readonly ContentBlock[]): ToolResult['content'] {
  const [first] = blocks;
  if (first === undefined) return '';
  return blocks.length === 1 && first.type === 'text' ? first.text : blocks;
}
