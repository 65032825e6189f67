import { resolve } from 'node:path';
import type { ToolCallContent, ToolCallUpdate, ToolKind } from '@parley/acp';
import type { Subject as RuledSubject } from '@parley/workspace';
import { commandOf } from './command.ts';
import { folderFields, pathFields } from './input-fields.ts';

/** What a tool call would do, as far as it shows. */
export interface Subject extends RuledSubject {
  readonly kind?: ToolKind;
  /** It shows nothing but a title. */
  readonly isOpaque?: true;
}

/** Reads what a tool call would do out of its kind, input, locations and diffs. */
export function subjectOf(call: ToolCallUpdate, cwd: string): Subject {
  const command = commandOf(call.rawInput);
  const paths = new Set<string>();
  for (const item of call.content ?? []) {
    if (item.type === 'diff') paths.add(resolve(cwd, item.path));
  }
  for (const location of call.locations ?? []) paths.add(resolve(cwd, location.path));
  for (const path of pathsIn(call.rawInput)) paths.add(resolve(cwd, path));
  const directory = command === undefined ? undefined : directoryIn(call.rawInput, cwd);
  const host = call.kind === 'fetch' ? hostIn(call.rawInput) : undefined;
  return {
    ...(call.kind !== undefined && { kind: call.kind }),
    ...(call.name !== undefined && { tool: call.name }),
    ...(command !== undefined && { command }),
    ...(directory !== undefined && { directory }),
    ...(host !== undefined && { host }),
    paths: [...paths],
    ...(!isTelling(call) && { isOpaque: true }),
  };
}

/** Whether anything says what the call would do; a kind does where it leaves only open to which file. */
function isTelling({ kind, name, title, rawInput, content, locations }: ToolCallUpdate): boolean {
  if (kind !== undefined && tellingKinds.has(kind)) return true;
  if ((locations ?? []).length > 0) return true;
  if ((content ?? []).some((item) => isTellingContent(item, title))) return true;
  // A tool that is named may need no input.
  return name === undefined ? !isEmpty(rawInput) : rawInput !== undefined && rawInput !== null;
}

const tellingKinds: ReadonlySet<ToolKind> = new Set<ToolKind>([
  'read',
  'search',
  'think',
  'edit',
  'delete',
  'move',
]);

function isTellingContent(item: ToolCallContent, title: string | undefined): boolean {
  if (item.type !== 'content' || item.content.type !== 'text') return true;
  const text = item.content.text.trim();
  return text !== '' && text !== title?.trim();
}

function isEmpty(input: unknown): boolean {
  if (input === undefined || input === null || input === '') return true;
  return typeof input === 'object' && Object.keys(input).length === 0;
}

/** Where a command is to start. */
function directoryIn(input: unknown, cwd: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(input));
  const given = folderFields.map((name) => fields.get(name)).find((value) => typeof value === 'string');
  return given === undefined ? undefined : resolve(cwd, given);
}

/** The host of the address in a tool's input. */
function hostIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('url' in input)) return undefined;
  const { url } = input;
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : undefined;
}

function* pathsIn(input: unknown): Generator<string> {
  if (typeof input !== 'object' || input === null) return;
  for (const [name, value] of Object.entries(input)) {
    if (pathFields.includes(name) && typeof value === 'string' && value !== '') yield value;
  }
}
