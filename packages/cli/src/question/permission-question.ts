import type { PermissionOption } from '@parley/acp';
import type { PermissionAnswer } from '@parley/host';
import { toHonestPieces, type PermissionChoices, type RequestedAction } from '@parley/host/state';
import type { Extent } from '../output/tool-call-text.ts';
import { aboutText } from './lasting-answer.ts';
import { optionBlock } from './option-label.ts';
import { toActionRows } from './question-rows.ts';
import { oneLine, toRows, type Block, type Screen } from './rows.ts';

/** A permission question, and what is known around it. */
export interface PermissionQuestion {
  readonly action: RequestedAction;
  readonly choices: PermissionChoices;
  /** Feedback on a rejection reaches the agent. */
  readonly takesFeedback: boolean;
  readonly agentName: string;
  readonly screen: Screen;
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
  const { action, choices, screen, waiting } = question;
  const { style } = screen;
  const head = toRows([headBlock(question)], screen, extent, '');
  const body = toActionRows(action, screen, extent);
  const answers = toRows(
    [
      ...onceOptions(choices).map((option, index) => optionBlock(option, `${String(index + 1)}  `, screen)),
      ...(mayGiveFeedback(question) ? [keyBlock('r', 'Reject with feedback…')] : []),
      ...(choices.always === undefined
        ? []
        : [keyBlock('a', `Always… ${aboutText(choices.always.about)}`.trimEnd())]),
    ],
    screen,
    extent,
    '  ',
  );
  const isCut = head.isCut || body.isCut || answers.isCut;
  const more = waiting === 1 ? '1 more question is' : `${String(waiting)} more questions are`;
  const rows = [
    ...head.rows,
    ...body.rows,
    ...answers.rows,
    ...(isCut ? ['  w  Show all of it'] : []),
    ...(waiting > 0 ? [style.dim(`  (${more} waiting)`)] : []),
  ];
  return { text: rows.map((row) => `${row}\n`).join(''), isCut };
}

/** The line for the answer: the keys, and what the empty line means. */
export function permissionPrompt(question: PermissionQuestion, isCut: boolean): string {
  const { choices } = question;
  const count = onceOptions(choices).length;
  const keys = [
    ...(choices.allow === undefined ? [] : ['y', 'n']),
    ...(count === 0 ? [] : [count === 1 ? '1' : `1-${String(count)}`]),
    ...(mayGiveFeedback(question) ? ['r'] : []),
    ...(choices.always === undefined ? [] : ['a']),
    ...(isCut ? ['w'] : []),
  ];
  return `Your answer [${keys.join(' ')}; Enter: no]: `;
}

/** What a user meant by what they typed. */
export type PermissionReply =
  | PermissionAnswer
  /** Shows the full content, the lasting answers, or an input line for feedback. */
  | { readonly kind: 'whole' | 'always' | 'feedback' }
  | { readonly kind: 'unclear' };

/** Reads an answer. Nothing, and the end of the input, mean no; nothing but a clear yes means yes. */
export function parsePermissionReply(
  line: string | undefined,
  question: PermissionQuestion,
): PermissionReply {
  const { choices } = question;
  const answer = line?.trim().toLowerCase() ?? '';
  if (answer === '' || answer === 'n' || answer === 'no') return reply(choices.reject);
  if (answer === 'y' || answer === 'yes') {
    return choices.allow === undefined ? { kind: 'unclear' } : reply(choices.allow);
  }
  if (answer === 'w') return { kind: 'whole' };
  if (answer === 'a' && choices.always !== undefined) return { kind: 'always' };
  if (answer === 'r' && mayGiveFeedback(question)) return { kind: 'feedback' };
  const option = /^\d{1,3}$/.test(answer) ? onceOptions(choices)[Number(answer) - 1] : undefined;
  return option === undefined ? { kind: 'unclear' } : reply(option);
}

/** The options for this one call, in the order of their numbers. */
export function onceOptions({ allow, reject, others }: PermissionChoices): readonly PermissionOption[] {
  return [...(allow === undefined ? [] : [allow]), ...(reject === undefined ? [] : [reject]), ...others];
}

function mayGiveFeedback({ choices, takesFeedback }: PermissionQuestion): boolean {
  return takesFeedback && choices.reject !== undefined;
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

function keyBlock(key: string, text: string): Block {
  return { lines: [{ before: `${key}  `, text }], limit: 3 };
}
