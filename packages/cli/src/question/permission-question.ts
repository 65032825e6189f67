import type { PermissionOption, RequestPermissionRequest, ToolCallUpdate } from '@parley/acp';
import type { LastingAnswer, LastingOffer } from '@parley/host';
import { toHonestText, toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import { excerpt, toChangeLines, toTextLines, toToolTitle, type Extent } from '../output/tool-call-text.ts';
import { lastingKeys, lastingOfKey, showLastingOffer } from './lasting-answer.ts';

/** How much of a command is shown. It is never cut without a word: what is allowed must be seen. */
const maxCommandCharacters: Readonly<Record<Extent, number>> = { excerpt: 4000, whole: 200_000 };

/** How many lines of an explanation are shown. */
const maxWordLines: Readonly<Record<Extent, number>> = { excerpt: 12, whole: 5000 };

/** How much of the input of a call is shown that says nothing else. */
const maxInputCharacters: Readonly<Record<Extent, number>> = { excerpt: 600, whole: 200_000 };

/** A permission question, and what is known around it. */
export interface PermissionQuestion {
  readonly request: RequestPermissionRequest;
  readonly agentName: string;
  readonly style: Style;
  readonly lasting?: LastingOffer;
  /** How many more questions wait behind this one. */
  readonly waiting: number;
  /** There is more to see than is shown at first. */
  readonly isCut: boolean;
}

/** The question as a person sees it, up to the line for the answer. */
export function showPermission(question: PermissionQuestion, extent: Extent = 'excerpt'): string {
  const { request, agentName, style, lasting, waiting } = question;
  const { toolCall, options } = request;
  const kind = toolCall.kind === undefined ? '' : style.dim(` (${toolCall.kind})`);
  const details = describe(toolCall, style, extent);
  const more = waiting === 1 ? 'one more question waits' : `${String(waiting)} more questions wait`;
  const lines = [
    `${style.bold(`${agentName} asks: ${toToolTitle(toolCall)}`)}${kind}`,
    ...(details.length > 0 ? details : [opaqueNote]).map((line) => `    ${line}`),
    ...options.map((option, index) => `  ${String(index + 1)}  ${toOptionText(option, style)}`),
    ...(lasting === undefined ? [] : showLastingOffer(lasting)),
    ...(extent === 'excerpt' && question.isCut ? ['  w  show all of it'] : []),
    ...(waiting > 0 ? [style.dim(`  (${more} behind this one)`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether there is more to see of a call than is shown at first. */
export function isCut(toolCall: ToolCallUpdate, style: Style): boolean {
  const [shown, whole] = [describe(toolCall, style, 'excerpt'), describe(toolCall, style, 'whole')];
  return shown.join('\n') !== whole.join('\n');
}

/** A kind that nobody knows is shown: it may say more than the name does. */
function toOptionText({ name, kind, raw }: PermissionOption, style: Style): string {
  if (kind !== 'unknown') return toPlainLine(name);
  const given = textField(raw, 'kind') ?? kind;
  return `${toPlainLine(name)}${style.dim(` (${toPlainLine(given)})`)}`;
}

const opaqueNote = 'Opaque request: the agent does not say what exactly it is about to do.';

/** What is asked at the end: the numbers and keys, and what the empty line means. */
export function permissionPrompt(question: PermissionQuestion): string {
  const {
    request: { options },
    lasting,
  } = question;
  const numbers = options.length > 1 ? `1-${String(options.length)}` : '1';
  const keys = lasting === undefined ? '' : ` ${lastingKeys(lasting)}`;
  const yes = options.some(({ kind }) => kind === 'allow_once') ? 'y n ' : '';
  const whole = question.isCut ? ' w' : '';
  return `Your answer [${yes}${numbers}${keys}${whole}; Enter: no]: `;
}

/** What somebody meant by what they typed. */
export type PermissionReply =
  | { readonly kind: 'option'; readonly optionId: string }
  | { readonly kind: 'lasting'; readonly answer: LastingAnswer }
  /** All of it is to be shown. */
  | { readonly kind: 'whole' }
  | { readonly kind: 'dismissed' }
  | { readonly kind: 'unclear' };

/** Reads an answer. Nothing, and the end of the input, mean no; nothing but a clear yes means yes. */
export function parsePermissionReply(
  line: string | undefined,
  { request: { options }, lasting }: PermissionQuestion,
): PermissionReply {
  const typed = line?.trim() ?? '';
  const answer = typed.toLowerCase();
  if (answer === '' || answer === 'n' || answer === 'no') {
    return reply(options.find(({ kind }) => kind === 'reject_once'));
  }
  if (answer === 'y' || answer === 'yes') {
    const option = options.find(({ kind }) => kind === 'allow_once');
    return option === undefined ? { kind: 'unclear' } : reply(option);
  }
  // A capital letter means never here, and nothing else.
  const forLonger = lasting === undefined ? undefined : lastingOfKey(typed, lasting);
  if (forLonger !== undefined) return { kind: 'lasting', answer: forLonger };
  if (answer === 'w') return { kind: 'whole' };
  if (!/^\d{1,3}$/.test(answer)) return { kind: 'unclear' };
  const option = options[Number(answer) - 1];
  return option === undefined ? { kind: 'unclear' } : reply(option);
}

function reply(option: PermissionOption | undefined): PermissionReply {
  return option === undefined ? { kind: 'dismissed' } : { kind: 'option', optionId: option.optionId };
}

function describe(call: ToolCallUpdate, style: Style, extent: Extent): string[] {
  const command = commandOf(call.rawInput);
  const folder = textField(call.rawInput, 'cwd');
  const changes = toChangeLines(call.content ?? [], style, extent);
  const words = toTextLines(call.content ?? [], extent);
  const paths = changes.length > 0 ? [] : (call.locations ?? []).map(({ path }) => toPlainLine(path));
  const isNamed = command !== undefined || changes.length > 0 || words.length > 0;
  return [
    ...(command === undefined ? [] : toCommandLines(command, maxCommandCharacters[extent])),
    ...(folder === undefined ? [] : [`in ${toPlainLine(folder)}`]),
    ...changes,
    ...new Set(paths),
    // Many agents say the command a second time, as the content of the call.
    ...(words.join('\n') === command ? [] : excerpt(words, maxWordLines[extent])),
    ...(isNamed || call.rawInput === undefined
      ? []
      : [toPlainLine(JSON.stringify(call.rawInput), maxInputCharacters[extent])]),
  ];
}

function toCommandLines(command: string, maxCharacters: number): string[] {
  const shown = toHonestText(command.slice(0, maxCharacters)).split('\n');
  const left = command.length - maxCharacters;
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
