import type { ToolKind } from '@parley/acp';
import type { Protection } from '@parley/workspace/rule';
import { environmentFields, folderFields, pathFields } from '../request/input-fields.ts';
import type { RequestedAction, RequestedFile, RequestedVariable } from '../request/requested-action.ts';
import { toAddress, type Address } from './address.ts';
import { toHonestPieces, type HonestText } from './honest-text.ts';
import { quoteWord, quoteWords } from './quoted-words.ts';

/**
 * A part of a permission question. Terminal and page show the same parts in the same order, completely, or say what
 * they omit.
 */
export type QuestionPart =
  | { readonly kind: 'warning'; readonly warning: QuestionWarning }
  /** What would run: a line for a shell, or a list of arguments, each quoted. */
  | { readonly kind: 'command'; readonly text: HonestText }
  /** The program behind the command, or the shell that runs the line, by its real path. */
  | { readonly kind: 'program'; readonly text: HonestText; readonly isShell: boolean }
  /** Where the command starts; `isOutside` of the session's folders. */
  | { readonly kind: 'folder'; readonly text: HonestText; readonly isOutside: boolean }
  /** What is set for the command, each as `NAME=value`. */
  | { readonly kind: 'variables'; readonly variables: readonly HonestText[] }
  | { readonly kind: 'address'; readonly address: Address }
  /** The plan to approve. */
  | { readonly kind: 'plan'; readonly text: HonestText }
  | { readonly kind: 'file'; readonly file: QuestionFile }
  | { readonly kind: 'tool'; readonly tool: HonestText; readonly server?: HonestText }
  /** What the agent explains. */
  | { readonly kind: 'text'; readonly text: HonestText }
  /**
   * The input of the tool, or its fields that no other part shows. `isMain` if no other part says what the call does.
   */
  | { readonly kind: 'input'; readonly text: HonestText; readonly isMain: boolean };

/** Something about a question that a user has to know before all else. */
export type QuestionWarning =
  /** The call does not show what it would do. */
  | { readonly code: 'opaque' }
  /** The agent declared another kind than the one that counts. */
  | { readonly code: 'declared'; readonly declared: HonestText; readonly kind: ToolKind }
  /** Characters are written as codes, marked or counted. */
  | { readonly code: 'written-out' }
  /** Words are read from right to left. */
  | { readonly code: 'right-to-left' };

/** A file of a call. */
export interface QuestionFile {
  readonly path: HonestText;
  readonly realPath?: HonestText;
  /** Outside of the session's folders. */
  readonly isOutside: boolean;
  readonly effect: RequestedFile['effect'];
  readonly protection?: Protection;
  readonly change?: QuestionChange;
}

/** What would be written to a file. */
export interface QuestionChange {
  readonly newText: HonestText;
  readonly oldText?: HonestText;
  /** The texts are a part of the file. */
  readonly isPart: boolean;
  /** What a comparison of the lines does not show. */
  readonly notes: readonly ChangeNote[];
}

/** Properties of a change that no diff line shows: unchanged, emptied, line endings, final newline. */
export type ChangeNote = 'unchanged' | 'empty' | 'crlf' | 'end-added' | 'end-removed';

/** Splits a requested action into the parts of its question. */
export function toQuestionParts(action: RequestedAction): readonly QuestionPart[] {
  const shown = [
    ...commandParts(action),
    ...addressParts(action),
    ...planParts(action),
    ...action.files.map(toFilePart),
    ...toolParts(action),
  ];
  const parts = [...shown, ...textParts(action), ...inputParts(action, shown)];
  return [...warningsOf(action, parts).map((warning) => ({ kind: 'warning', warning }) as const), ...parts];
}

/** The most informative line of a request, for where there is room for no more. */
export function headlineOf({ command, address, files, title, tool, kind }: RequestedAction): string {
  if (command !== undefined) return commandText(command.command);
  if (address !== undefined) return address;
  if (files.length > 0) return files.map((file) => file.path).join(', ');
  return isBlank(title) ? (tool ?? kind) : title;
}

function isBlank(text: string | undefined): text is undefined {
  return text === undefined || text.trim() === '';
}

function commandText(command: string | readonly string[]): string {
  return typeof command === 'string' ? command : quoteWords(command);
}

function commandParts({ command }: RequestedAction): readonly QuestionPart[] {
  if (command === undefined) return [];
  const text = toHonestPieces(commandText(command.command));
  const isLine = typeof command.command === 'string';
  const variables = command.env.map(({ name, value }) =>
    toHonestPieces(`${/^[A-Za-z_]\w*$/u.test(name) ? name : quoteWord(name)}=${quoteWord(value)}`),
  );
  return [
    { kind: 'command', text },
    ...(command.program === undefined
      ? []
      : [{ kind: 'program', text: toHonestPieces(command.program), isShell: isLine } as const]),
    { kind: 'folder', text: toHonestPieces(command.cwd), isOutside: command.isOutside === true },
    ...(variables.length === 0 ? [] : [{ kind: 'variables', variables } as const]),
  ];
}

function addressParts({ address }: RequestedAction): readonly QuestionPart[] {
  return address === undefined ? [] : [{ kind: 'address', address: toAddress(address) }];
}

function planParts(action: RequestedAction): readonly QuestionPart[] {
  const plan = planOf(action);
  return plan === undefined ? [] : [{ kind: 'plan', text: toHonestPieces(plan) }];
}

function planOf({ kind, input }: RequestedAction): string | undefined {
  const plan = kind === 'switch_mode' ? fieldOf(input, 'plan') : undefined;
  return typeof plan === 'string' && plan.trim() !== '' ? plan : undefined;
}

function toFilePart({ path, realPath, isOutside, effect, protection, content }: RequestedFile): QuestionPart {
  const file = {
    path: toHonestPieces(path),
    ...(realPath !== undefined && realPath !== path && { realPath: toHonestPieces(realPath) }),
    isOutside: isOutside === true,
    effect,
    ...(protection !== undefined && { protection }),
    ...(content !== undefined && { change: toChange(content) }),
  };
  return { kind: 'file', file };
}

function toChange({ newText, oldText, isPart }: NonNullable<RequestedFile['content']>): QuestionChange {
  // Where each line ends like that, it is said once; a carriage return anywhere else is written out.
  const isCrlf = endsInCrlf(newText) && (oldText === undefined || oldText === '' || endsInCrlf(oldText));
  const toText = (text: string): HonestText => toHonestPieces(isCrlf ? text.replaceAll('\r\n', '\n') : text);
  return {
    newText: toText(newText),
    ...(oldText !== undefined && { oldText: toText(oldText) }),
    isPart: isPart === true,
    notes: [
      ...(newText === oldText ? (['unchanged'] as const) : []),
      ...(newText === '' && newText !== oldText && isPart !== true ? (['empty'] as const) : []),
      ...(isCrlf ? (['crlf'] as const) : []),
      ...(isPart === true ? [] : endNotes(newText, oldText)),
    ],
  };
}

function endsInCrlf(text: string): boolean {
  return /\r\n/u.test(text) && !/(?<!\r)\n|\r(?!\n)/u.test(text);
}

/** A line that only gets or loses its end looks the same. */
function endNotes(newText: string, oldText = ''): readonly ChangeNote[] {
  if (newText === '' || oldText === '' || newText.endsWith('\n') === oldText.endsWith('\n')) return [];
  return [newText.endsWith('\n') ? 'end-added' : 'end-removed'];
}

function toolParts({ tool, title, command, address, files }: RequestedAction): readonly QuestionPart[] {
  if (tool === undefined || tool === '') return [];
  const [, server, name] = /^mcp__(.+?)__(.+)$/su.exec(tool) ?? [];
  if (server !== undefined && name !== undefined) {
    return [{ kind: 'tool', tool: toHonestPieces(name), server: toHonestPieces(server) }];
  }
  const isSaidElsewhere =
    tool === title || command !== undefined || address !== undefined || files.length > 0;
  return isSaidElsewhere ? [] : [{ kind: 'tool', tool: toHonestPieces(tool) }];
}

function textParts(action: RequestedAction): readonly QuestionPart[] {
  const { command, title, texts } = action;
  const said = [command && commandText(command.command), command?.command, planOf(action), title];
  return texts
    .filter((text) => !isSaid(text, said))
    .map((text) => ({ kind: 'text', text: toHonestPieces(text.trim()) }));
}

/** Many agents say the same thing twice, as a block of code the second time. */
function isSaid(text: string, others: readonly unknown[]): boolean {
  const bare = text
    .replace(/^`{3,}\w*\n?/u, '')
    .replace(/\n?`{3,}$/u, '')
    .trim();
  return bare === '' || others.some((other) => typeof other === 'string' && other.trim() === bare);
}

function inputParts(action: RequestedAction, shown: readonly QuestionPart[]): readonly QuestionPart[] {
  const rest = remaining(action);
  if (rest === undefined) return [];
  const isMain = !shown.some(
    ({ kind }) => kind === 'command' || kind === 'address' || kind === 'plan' || kind === 'file',
  );
  const text = toHonestPieces(JSON.stringify(rest, undefined, 2));
  return [{ kind: 'input', text, isMain: isMain || shown.some(({ kind }) => kind === 'tool') }];
}

/** The fields of the input that no other part shows; fields of an unexpected type are always included. */
function remaining(action: RequestedAction): unknown {
  const { input } = action;
  if (input === undefined || input === null || input === '') return undefined;
  if (typeof input !== 'object' || Array.isArray(input)) return input;
  const rest = Object.entries(input).filter(([name, value]) => !isShown(name, value, action));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

function isShown(name: string, value: unknown, action: RequestedAction): boolean {
  const { command, address, files } = action;
  if (name === 'command' || name === 'args') return command !== undefined && isCommand(action);
  if (command !== undefined && folderFields.includes(name)) return value === command.cwd;
  if (environmentFields.includes(name)) return command !== undefined && isEnv(value, command.env);
  if (name === 'url') return address !== undefined && value === address;
  if (name === 'plan') return value === planOf(action);
  if (pathFields.includes(name)) return isEachFile(value, files);
  if (typeof value !== 'string') return false;
  if (!contentFields.has(name)) return false;
  return files.some(
    ({ content }) => content?.newText.includes(value) === true || content?.oldText?.includes(value) === true,
  );
}

/** The names under which agents put a text into a tool's input that their diff shows too. */
const contentFields: ReadonlySet<string> = new Set([
  'content',
  'contents',
  'new_string',
  'old_string',
  'newText',
  'oldText',
  'new_text',
  'old_text',
  'file_text',
  'text',
]);

/** Whether the command of the input is the one that is shown, and not another one beside it. */
function isCommand({ command, input }: RequestedAction): boolean {
  const [given, args] = [fieldOf(input, 'command'), fieldOf(input, 'args')];
  const words = [...listOf(given), ...(args === undefined ? [] : listOf(args))];
  const shown = command?.command;
  if (shown === undefined || (args !== undefined && !Array.isArray(args))) return false;
  if (typeof shown !== 'string') return isSameList(words, shown);
  return words.length === 1 && typeof given === 'string' && given.trim() === shown.trim();
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((word, index) => word === right[index]);
}

function isEnv(value: unknown, env: readonly RequestedVariable[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const given = Array.isArray(value) ? value.map(toVariable) : Object.entries(value);
  return given.every(
    (entry) =>
      entry !== undefined && env.some(({ name, value: set }) => name === entry[0] && set === entry[1]),
  );
}

function toVariable(item: unknown): readonly [unknown, unknown] | undefined {
  if (typeof item !== 'string') return [fieldOf(item, 'name'), fieldOf(item, 'value')];
  const end = item.indexOf('=');
  return end < 0 ? undefined : [item.slice(0, end), item.slice(end + 1)];
}

function isEachFile(value: unknown, files: RequestedAction['files']): boolean {
  const named: readonly unknown[] = Array.isArray(value) ? value : [value];
  return named.every((each) => typeof each === 'string' && files.some(({ path }) => isSameFile(each, path)));
}

/** An agent may name a file by its whole path in one place, and by a relative one in another. */
function isSameFile(path: string, whole: string): boolean {
  return path === whole || (!path.startsWith('/') && whole.endsWith(`/${path.replace(/^\.\//u, '')}`));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function warningsOf(action: RequestedAction, parts: readonly QuestionPart[]): readonly QuestionWarning[] {
  const { kind, declaredKind, isOpaque, title = '' } = action;
  const pieces = [...toHonestPieces(title), ...parts.flatMap(piecesIn)];
  return [
    ...(isOpaque === true || parts.length === 0 ? [{ code: 'opaque' } as const] : []),
    ...(declaredKind === undefined || declaredKind === kind
      ? []
      : [{ code: 'declared', declared: toHonestPieces(declaredKind), kind } as const]),
    ...(pieces.some((piece) => piece.kind !== 'plain' && piece.kind !== 'right-to-left')
      ? [{ code: 'written-out' } as const]
      : []),
    ...(pieces.some((piece) => piece.kind === 'right-to-left') ? [{ code: 'right-to-left' } as const] : []),
  ];
}

function piecesIn(part: QuestionPart): HonestText {
  switch (part.kind) {
    case 'command':
    case 'program':
    case 'folder':
    case 'plan':
    case 'text':
    case 'input':
      return part.text;
    case 'variables':
      return part.variables.flat();
    case 'tool':
      return [...part.tool, ...(part.server ?? [])];
    case 'address':
      return toHonestPieces(part.address.before + part.address.shownHost + part.address.after);
    case 'file': {
      const { path, realPath = [], change } = part.file;
      return [...path, ...realPath, ...(change?.newText ?? []), ...(change?.oldText ?? [])];
    }
    case 'warning':
      return [];
  }
}
