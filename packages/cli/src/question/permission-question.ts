import type { PermissionOption, RequestPermissionRequest } from '@parley/acp';
import type { PermissionAnswer } from '@parley/host';
import { toHonestPieces, type RequestedAction } from '@parley/host/state';
import type { RememberOffer } from '@parley/workspace/rule';
import type { Extent } from '../output/tool-call-text.ts';
import { optionLabel, optionName } from './option-label.ts';
import { toActionRows } from './question-rows.ts';
import { rememberKeys, rememberOfKey, rememberOfferLines } from './remember-offer.ts';
import { oneLine, toRows, type Block, type Line, type Screen } from './rows.ts';

/** A permission question, and what is known around it. */
export interface PermissionQuestion {
  readonly action: RequestedAction;
  readonly options: RequestPermissionRequest['options'];
  readonly agentName: string;
  readonly screen: Screen;
  readonly remember?: RememberOffer;
  /** How many more questions wait behind this one. */
  readonly waiting: number;
}

/** A question as a user sees it, up to the line for the answer. */
export interface ShownQuestion {
  readonly text: string;
  /** There is more to see. */
  readonly isCut: boolean;
}

/** Draws a question; all of it, or what fits on a screen. */
export function showPermission(question: PermissionQuestion, extent: Extent = 'excerpt'): ShownQuestion {
  const { action, options, screen, remember, waiting } = question;
  const { style } = screen;
  const head = toRows([headBlock(question)], screen, extent, '');
  const body = toActionRows(action, screen, extent);
  const answers = toRows(
    [
      ...options.map((option, index) => optionBlock(option, index, screen)),
      ...(remember === undefined ? [] : [{ lines: rememberOfferLines(remember), limit: 8 }]),
    ],
    screen,
    extent,
    '  ',
  );
  const isCut = head.isCut || body.isCut || answers.isCut;
  const more = waiting === 1 ? 'one more question waits' : `${String(waiting)} more questions wait`;
  const rows = [
    ...head.rows,
    ...body.rows,
    ...answers.rows,
    ...(isCut ? ['  w  show all of it'] : []),
    ...(waiting > 0 ? [style.dim(`  (${more} behind this one)`)] : []),
  ];
  return { text: rows.map((row) => `${row}\n`).join(''), isCut };
}

/** What is asked at the end: the numbers and keys, and what the empty line means. */
export function permissionPrompt({ options, remember }: PermissionQuestion, isCut: boolean): string {
  const numbers = options.length > 1 ? `1-${String(options.length)}` : '1';
  const keys = remember === undefined ? '' : ` ${rememberKeys(remember)}`;
  const yes = options.some(({ kind }) => kind === 'allow_once') ? 'y n ' : '';
  const whole = isCut ? ' w' : '';
  return `Your answer [${yes}${numbers}${keys}${whole}; Enter: no]: `;
}

/** What a user meant by what they typed. */
export type PermissionReply =
  | PermissionAnswer
  /** All of it is to be shown. */
  | { readonly kind: 'whole' }
  | { readonly kind: 'unclear' };

/** Reads an answer. Nothing, and the end of the input, mean no; nothing but a clear yes means yes. */
export function parsePermissionReply(
  line: string | undefined,
  { options, remember }: Pick<PermissionQuestion, 'options' | 'remember'>,
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
  const forLonger = remember === undefined ? undefined : rememberOfKey(typed, remember);
  if (forLonger !== undefined) return forLonger;
  if (answer === 'w') return { kind: 'whole' };
  if (!/^\d{1,3}$/.test(answer)) return { kind: 'unclear' };
  const option = options[Number(answer) - 1];
  return option === undefined ? { kind: 'unclear' } : reply(option);
}

function reply(option: PermissionOption | undefined): PermissionReply {
  return option === undefined ? { kind: 'cancel' } : { kind: 'option', optionId: option.optionId };
}

/** Who asks, what the agent calls it, and what kind of call it is. */
function headBlock({ agentName, action, screen }: PermissionQuestion): Block {
  const { title = '', tool, kind } = action;
  const called = title.trim() === '' ? (tool ?? kind) : title;
  const text = `${oneLine(toHonestPieces(agentName))} asks: ${oneLine(toHonestPieces(called))} (${kind})`;
  return { lines: [{ before: '', text, paint: screen.style.bold }], limit: 4 };
}

function optionBlock(option: PermissionOption, index: number, { style }: Screen): Block {
  const number = `${String(index + 1)}  `;
  const label = optionLabel(option);
  const name = optionName(option);
  const isKnown = option.kind !== 'unknown';
  const line: Line =
    isKnown && name !== undefined
      ? { before: `${number}${label}  `, text: name, paint: style.dim }
      : { before: number, text: name === undefined ? label : `${label}: ${name}` };
  return { lines: [line], limit: 3 };
}
