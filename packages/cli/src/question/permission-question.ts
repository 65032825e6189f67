import type { PermissionOption, RequestPermissionRequest, ToolCallUpdate } from '@parley/acp';
import type { AnswerScope, LastingOffer } from '@parley/host';
import { toHonestText, toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import { excerpt, toChangeLines, toTextLines, toToolTitle } from '../output/tool-call-text.ts';
import { lastingKeys, scopeOfKey, showLastingOffer } from './lasting-answer.ts';

/** How much of a command is shown. It is never cut without a word: what is allowed must be seen. */
const maxCommandCharacters = 4000;

/** How many lines of an explanation are shown. */
const maxWordLines = 12;

/** The question as a person sees it, up to the line for the answer. */
export function showPermission(
  request: RequestPermissionRequest,
  agentName: string,
  style: Style,
  lasting?: LastingOffer,
): string {
  const { toolCall, options } = request;
  const kind = toolCall.kind === undefined ? '' : style.dim(` (${toolCall.kind})`);
  const details = describe(toolCall, style);
  const lines = [
    `${style.bold(`${agentName} asks: ${toToolTitle(toolCall)}`)}${kind}`,
    ...(details.length > 0 ? details : [opaqueNote]).map((line) => `    ${line}`),
    ...options.map((option, index) => `  ${String(index + 1)}  ${toOptionText(option, style)}`),
    ...(lasting === undefined ? [] : showLastingOffer(lasting)),
  ];
  return `${lines.join('\n')}\n`;
}

/** A kind that nobody knows is shown: it may say more than the name does. */
function toOptionText({ name, kind, raw }: PermissionOption, style: Style): string {
  if (kind !== 'unknown') return toPlainLine(name);
  const given = textField(raw, 'kind') ?? kind;
  return `${toPlainLine(name)}${style.dim(` (${toPlainLine(given)})`)}`;
}

const opaqueNote = 'Opaque request: the agent does not say what exactly it is about to do.';

/** What is asked at the end: the numbers and keys, and what the empty line means. */
export function permissionPrompt(options: readonly PermissionOption[], lasting?: LastingOffer): string {
  const numbers = options.length > 1 ? `1-${String(options.length)}` : '1';
  const keys = lasting === undefined ? '' : ` ${lastingKeys(lasting)}`;
  const yes = options.some(({ kind }) => kind === 'allow_once') ? 'y n ' : '';
  return `Your answer [${yes}${numbers}${keys}; Enter: no]: `;
}

export type PermissionReply =
  | { readonly kind: 'option'; readonly optionId: string }
  | { readonly kind: 'lasting'; readonly scope: AnswerScope }
  | { readonly kind: 'dismissed' }
  | { readonly kind: 'unclear' };

/** Reads an answer. Nothing, and the end of the input, mean no; nothing but a clear yes means yes. */
export function parsePermissionReply(
  line: string | undefined,
  options: readonly PermissionOption[],
  lasting?: LastingOffer,
): PermissionReply {
  const answer = line?.trim().toLowerCase() ?? '';
  if (answer === '' || answer === 'n' || answer === 'no') {
    return reply(options.find(({ kind }) => kind === 'reject_once'));
  }
  if (answer === 'y' || answer === 'yes') {
    const option = options.find(({ kind }) => kind === 'allow_once');
    return option === undefined ? { kind: 'unclear' } : reply(option);
  }
  const scope = lasting === undefined ? undefined : scopeOfKey(answer, lasting);
  if (scope !== undefined) return { kind: 'lasting', scope };
  if (!/^\d{1,3}$/.test(answer)) return { kind: 'unclear' };
  const option = options[Number(answer) - 1];
  return option === undefined ? { kind: 'unclear' } : reply(option);
}

function reply(option: PermissionOption | undefined): PermissionReply {
  return option === undefined ? { kind: 'dismissed' } : { kind: 'option', optionId: option.optionId };
}

function describe(call: ToolCallUpdate, style: Style): string[] {
  const command = commandOf(call.rawInput);
  const folder = textField(call.rawInput, 'cwd');
  const changes = toChangeLines(call.content ?? [], style);
  const words = toTextLines(call.content ?? []);
  const paths = changes.length > 0 ? [] : (call.locations ?? []).map(({ path }) => toPlainLine(path));
  const isNamed = command !== undefined || changes.length > 0 || words.length > 0;
  return [
    ...(command === undefined ? [] : toCommandLines(command)),
    ...(folder === undefined ? [] : [`in ${toPlainLine(folder)}`]),
    ...changes,
    ...new Set(paths),
    // Many agents say the command a second time, as the content of the call.
    ...(words.join('\n') === command ? [] : excerpt(words, maxWordLines)),
    ...(isNamed || call.rawInput === undefined ? [] : [toPlainLine(JSON.stringify(call.rawInput), 600)]),
  ];
}

function toCommandLines(command: string): string[] {
  const shown = toHonestText(command.slice(0, maxCommandCharacters)).split('\n');
  const left = command.length - maxCommandCharacters;
  return [
    ...shown.map((line, index) => `${index === 0 ? '$ ' : '  '}${line}`),
    ...(left > 0 ? [`… and ${String(left)} more characters which are not shown`] : []),
  ];
}

function commandOf(rawInput: unknown): string | undefined {
  const command = field(rawInput, 'command');
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) return undefined;
  const words: readonly unknown[] = command;
  // Each word on its own, so that one with spaces cannot pass for several.
  return words
    .map((word) => (typeof word === 'string' && /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

function textField(value: unknown, name: string): string | undefined {
  const text = field(value, name);
  return typeof text === 'string' ? text : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
