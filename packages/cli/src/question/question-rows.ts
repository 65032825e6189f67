import type { ToolKind } from '@parley/acp';
import {
  spell,
  toQuestionParts,
  type ChangeNote,
  type HonestText,
  type QuestionChange,
  type QuestionFile,
  type QuestionPart,
  type QuestionWarning,
  type RequestedAction,
} from '@parley/host/state';
import { protectionText } from '@parley/workspace';
import { diffLines } from '../output/diff.ts';
import type { Style } from '../output/style.ts';
import type { Extent } from '../output/tool-call-text.ts';
import { addressLines } from './address.ts';
import { oneLine, textLines, toRows, type Block, type Line, type Rows, type Screen } from './rows.ts';

/** What a permission request asks for, as rows of the terminal. */
export function toActionRows(action: RequestedAction, screen: Screen, extent: Extent): Rows {
  const blocks = toQuestionParts(action).map((part) => toBlock(part, screen.style, extent));
  return toRows(withinBudget(blocks), screen, extent, '    ');
}

/** Parts of a question that are displayed individually at first. */
const maxBlocks = 24;

const limits = { command: 40, plan: 40, change: 24, text: 12, mainInput: 24, input: 4 };

/** How many rows changes take together at first; those behind it show their beginning. */
const changeBudget = 72;

function withinBudget(blocks: readonly Block[]): readonly Block[] {
  let left = changeBudget;
  const rest = blocks.slice(maxBlocks);
  const merged =
    rest.length === 0
      ? []
      : [
          {
            lines: rest.flatMap(({ lines }) => lines),
            limit: limits.text,
            isCut: rest.some(({ isCut }) => isCut === true),
          },
        ];
  return [...blocks.slice(0, maxBlocks), ...merged].map((block) => {
    if (block.limit !== limits.change) return block;
    const limit = Math.min(block.limit, Math.max(3, left));
    left -= Math.min(limit, block.lines.length);
    return { ...block, limit };
  });
}

function toBlock(part: QuestionPart, style: Style, extent: Extent): Block {
  switch (part.kind) {
    case 'warning':
      return { lines: textLines(warningText(part.warning), '! ', '  ', style.red), limit: limits.text };
    case 'command':
      return { lines: textLines(spell(part.text), '$ ', '  '), limit: limits.command };
    case 'program':
      return { lines: [named(part.isShell ? 'by the shell ' : 'by ', part.text)], limit: limits.text };
    case 'folder':
      return { lines: [named('in ', part.text), ...outside(part, style)], limit: limits.text };
    case 'variables':
      return {
        lines: part.variables.flatMap((text) => textLines(spell(text), 'with ', '     ')),
        limit: limits.text,
      };
    case 'address':
      return { lines: addressLines(part.address, style), limit: limits.command };
    case 'plan':
      return { lines: quoted(part.text), limit: limits.plan };
    case 'text':
      return { lines: quoted(part.text), limit: limits.text };
    case 'tool':
      return { lines: toolLines(part), limit: limits.text };
    case 'file':
      return toFileBlock(part.file, style, extent);
    case 'input':
      return {
        lines: [
          { before: '', text: part.isMain ? 'its input:' : 'its input has more:', paint: style.dim },
          ...quoted(part.text),
        ],
        limit: part.isMain ? limits.mainInput : limits.input,
      };
  }
}

function named(before: string, text: HonestText): Line {
  return { before, text: oneLine(text) };
}

/** The agent's own words are marked: they cannot pass for what stands around them. */
function quoted(text: HonestText): readonly Line[] {
  return textLines(spell(text), '| ', '| ');
}

function toolLines({ tool, server }: Extract<QuestionPart, { readonly kind: 'tool' }>): readonly Line[] {
  if (server === undefined) return [named('tool ', tool)];
  return [named('MCP tool ', tool), named('of the server ', server)];
}

function toFileBlock(file: QuestionFile, style: Style, extent: Extent): Block {
  const { path, realPath, effect, protection, change } = file;
  const { lines, isCut } = change === undefined ? nothing : toChangeLines(change, style, extent);
  return {
    lines: [
      named(`${effectText(effect)} `, path),
      ...(realPath === undefined ? [] : [{ ...named('  leads to ', realPath), paint: style.red }]),
      ...outside(file, style),
      ...(protection === undefined
        ? []
        : [{ before: '  ! ', text: `protected: ${protectionText(protection)}`, paint: style.red }]),
      ...lines,
    ],
    limit: limits.change,
    isCut,
  };
}

function outside({ isOutside }: { readonly isOutside: boolean }, style: Style): readonly Line[] {
  return isOutside
    ? [{ before: '  ! ', text: 'outside of the folders of this session', paint: style.red }]
    : [];
}

const nothing = { lines: [], isCut: false };

function toChangeLines(
  { newText, oldText, notes, isPart }: QuestionChange,
  style: Style,
  extent: Extent,
): { readonly lines: readonly Line[]; readonly isCut: boolean } {
  const after = spell(newText);
  const shown = diffLines(
    oldText === undefined ? '' : spell(oldText),
    after,
    extent === 'whole' ? Number.POSITIVE_INFINITY : 1,
  );
  const stay = (count: number): readonly Line[] =>
    count === 0 ? [] : [{ before: '', text: `… ${String(count)} unchanged lines`, paint: style.dim }];
  const skipped = shown.reduce((sum, line) => sum + (line.skipped ?? 0), 0);
  const behind = countLines(after) - skipped - shown.filter(({ sign }) => sign !== '-').length;
  return {
    lines: [
      ...(isPart ? [{ before: '! ', text: 'This is a part of the file.', paint: style.red }] : []),
      ...notes.map((note) => ({ before: '! ', text: noteText(note), paint: style.red })),
      ...shown.flatMap((line) => [
        ...stay(line.skipped ?? 0),
        { before: `${line.sign} `, text: line.text, paint: paintOf(line.sign, style) },
      ]),
      ...stay(behind),
    ],
    isCut: skipped > 0 || behind > 0,
  };
}

function countLines(text: string): number {
  return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);
}

function paintOf(sign: '+' | '-' | ' ', style: Style): (text: string) => string {
  if (sign === '+') return style.green;
  return sign === '-' ? style.red : style.dim;
}

function warningText(warning: QuestionWarning): string {
  switch (warning.code) {
    case 'opaque':
      return 'Opaque request: the agent does not say what it is about to do.';
    case 'declared':
      return `The agent declared it as "${oneLine(warning.declared)}"; treated as ${kindText(warning.kind)}.`;
    case 'written-out':
      return 'Invisible and look-alike characters are shown as codes: ⟨U+202E⟩.';
    case 'right-to-left':
      return 'Some words run from right to left: their order on screen may mislead.';
  }
}

function kindText(kind: ToolKind): string {
  return kind === 'switch_mode' ? 'a change of mode' : kind;
}

function effectText(effect: QuestionFile['effect']): string {
  switch (effect) {
    case 'read':
      return 'reads';
    case 'write':
      return 'writes';
    case 'delete':
      return 'deletes';
    case 'move':
      return 'moves';
    case 'named':
      return 'names';
  }
}

function noteText(note: ChangeNote): string {
  switch (note) {
    case 'unchanged':
      return 'The content does not change.';
    case 'empty':
      return 'The file will be empty.';
    case 'crlf':
      return 'Line endings are CR LF.';
    case 'end-added':
      return 'Adds a line break at the end of the file.';
    case 'end-removed':
      return 'Removes the line break at the end of the file.';
  }
}
