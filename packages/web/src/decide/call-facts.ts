import type { ContentBlock, ToolCallContent, ToolCallUpdate, ToolKind } from '@parley/acp';
import { folderFields, pathFields } from '@parley/host/view';

/** What is known of a tool call, in the order of what matters to somebody who decides about it. */
export interface CallFacts {
  readonly kind: ToolKind;
  readonly title: string;
  /** The tool's name in the agent's program, where it says more than the title. */
  readonly tool?: string;
  readonly command?: string;
  /** Where the command starts. */
  readonly folder?: string;
  readonly address?: string;
  /** The tool of an MCP server. */
  readonly mcp?: { readonly server: string; readonly tool: string };
  /** What the agent wants to be approved before it goes on, in words. */
  readonly plan?: string;
  readonly changes: readonly FileChange[];
  /** The files it names that it does not show a change of. */
  readonly paths: readonly string[];
  /** What the agent says of it. */
  readonly words: readonly string[];
  /** Content that is no text. */
  readonly blocks: readonly ContentBlock[];
  /** All of the input as JSON, where it holds more than what is told above; shown at once where nothing is. */
  readonly input?: string;
  readonly isInputAll: boolean;
}

/** A file before and after. */
export interface FileChange {
  readonly path: string;
  /** Absent when the file is new. */
  readonly before?: string;
  readonly after: string;
}

/** Reads what a tool call would do. */
export function toCallFacts(call: ToolCallUpdate): CallFacts {
  const { kind = 'other', content = [], locations = [], name, rawInput } = call;
  const command = commandOf(rawInput);
  const [folder] = textFields(rawInput, folderFields);
  const address = textField(rawInput, 'url');
  const plan = kind === 'switch_mode' ? textField(rawInput, 'plan') : undefined;
  const mcp = name === undefined ? undefined : mcpOf(name);
  const changes = content.flatMap(toChange);
  const isChanged = (path: string): boolean => changes.some((change) => isSameFile(path, change.path));
  const named = [
    ...locations.map(({ path, line }) => (line === undefined ? path : `${path}:${String(line)}`)),
    ...textFields(rawInput, pathFields),
  ];
  const paths = [...new Set(named)].filter((path) => !isChanged(path.replace(/:\d+$/u, '')));
  const words = content.flatMap(toWords).filter((text) => !isSaid(text, [command, plan, call.title]));
  const title = (call.title ?? '').trim() === '' ? (name ?? kind) : (call.title ?? '');
  const told = toldFields({
    ...(command !== undefined && { command }),
    ...(address !== undefined && { address }),
    ...(plan !== undefined && { plan }),
  });
  const input = isToldBy(rawInput, told) ? undefined : inputOf(rawInput);
  const isTelling =
    command !== undefined ||
    address !== undefined ||
    plan !== undefined ||
    changes.length > 0 ||
    words.length > 0;
  return {
    kind,
    title,
    ...(name !== undefined && name !== title && !isTelling && { tool: name }),
    ...(command !== undefined && { command }),
    ...(folder !== undefined && { folder }),
    ...(address !== undefined && { address }),
    ...(mcp !== undefined && { mcp }),
    ...(plan !== undefined && { plan }),
    changes,
    paths,
    words,
    blocks: content.flatMap((item) =>
      item.type === 'content' && item.content.type !== 'text' ? [item.content] : [],
    ),
    ...(input !== undefined && { input }),
    isInputAll: !isTelling || mcp !== undefined,
  };
}

/** The most telling line of a call, for where there is room for no more. */
export function toHeadline({ command, address, changes, paths, title }: CallFacts): string {
  return command ?? address ?? changes[0]?.path ?? paths[0] ?? title;
}

function commandOf(input: unknown): string | undefined {
  const command = field(input, 'command');
  const args = field(input, 'args');
  if (typeof command === 'string') {
    if (command.trim() === '') return undefined;
    return isWordList(args) ? toLine([command, ...args]) : command;
  }
  return isWordList(command) ? toLine(command) : undefined;
}

/** Each word on its own, so that one with spaces cannot pass for several. */
function toLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : JSON.stringify(word))).join(' ');
}

function isWordList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
}

function mcpOf(name: string): CallFacts['mcp'] {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/u.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

function toChange(item: ToolCallContent): readonly FileChange[] {
  if (item.type !== 'diff') return [];
  const { path, oldText, newText } = item;
  return [{ path, ...(oldText !== undefined && { before: oldText }), after: newText }];
}

function toWords(item: ToolCallContent): readonly string[] {
  if (item.type === 'unknown') return [JSON.stringify(item.raw, undefined, 2)];
  return item.type === 'content' && item.content.type === 'text' ? [item.content.text.trim()] : [];
}

/** Many agents say the same thing twice, as a block of code the second time. */
function isSaid(text: string, others: readonly (string | undefined)[]): boolean {
  const bare = text
    .replace(/^`{3,}\w*\n?/u, '')
    .replace(/\n?`{3,}$/u, '')
    .trim();
  return bare === '' || others.some((other) => other?.trim() === bare);
}

function textFields(input: unknown, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => textField(input, name) ?? []);
}

/** The fields of an input that are told on their own. */
function toldFields({
  command,
  address,
  plan,
}: Pick<CallFacts, 'command' | 'address' | 'plan'>): ReadonlySet<string> {
  return new Set([
    ...pathFields,
    ...(command === undefined ? [] : ['command', 'args', ...folderFields]),
    ...(address === undefined ? [] : ['url']),
    ...(plan === undefined ? [] : ['plan']),
  ]);
}

function isToldBy(input: unknown, fields: ReadonlySet<string>): boolean {
  if (typeof input !== 'object' || input === null) return false;
  // What is of another type than it should be is not told on its own.
  return Object.entries(input).every(
    ([name, value]) =>
      fields.has(name) && (typeof value === 'string' || name === 'command' || name === 'args'),
  );
}

/** An agent may name a file by its whole path in one place, and by a relative one in another. */
function isSameFile(path: string, whole: string): boolean {
  return path === whole || (!path.startsWith('/') && whole.endsWith(`/${path.replace(/^\.\//u, '')}`));
}

function inputOf(input: unknown): string | undefined {
  if (input === undefined || input === null || input === '') return undefined;
  if (typeof input === 'object' && Object.keys(input).length === 0) return undefined;
  return JSON.stringify(input, undefined, 2);
}

function textField(value: unknown, name: string): string | undefined {
  const text = field(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
