import path from 'node:path';
import { CliError } from '../cli-error.ts';
import {
  parseConversationFlags,
  type ConversationFlags,
  type TypedConversationFlags,
} from '../conversation/flags.ts';
import { parseSeconds, parseWord } from '../flag-values.ts';

/** What `parley run` prints. */
export type Format = 'text' | 'quiet' | 'json';

/** Where the prompt of a run comes from. */
export type PromptSource =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'standard-input' };

/** The flags as typed, before validation. */
export interface TypedRunFlags extends TypedConversationFlags {
  readonly prompt?: string;
  readonly file?: string;
  readonly image?: readonly string[];
  readonly onAsk?: string;
  readonly timeout?: string;
  readonly idleTimeout?: string;
  readonly format?: string;
}

/** What one `parley run` is to do. Paths are absolute. */
export interface RunFlags extends ConversationFlags {
  readonly prompt: PromptSource;
  readonly images: readonly string[];
  /** What happens when a question needs a user and none can answer. @default it is rejected, and the turn continues */
  readonly onAsk?: 'fail';
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
}

/** Reads the one flag on which it depends how everything else, errors too, is reported. */
export function parseFormat(typed: string | undefined): Format {
  return typed === undefined ? 'text' : parseWord('--format', typed, ['text', 'quiet', 'json']);
}

/** Checks the flags of `parley run`; relative paths are against `cwd`, the folder of the command. */
export function parseRunFlags(typed: TypedRunFlags, cwd: string): RunFlags {
  return {
    ...parseConversationFlags(typed, cwd),
    prompt: parsePromptSource(typed, cwd),
    images: (typed.image ?? []).map((file) => path.resolve(cwd, file)),
    ...(typed.onAsk !== undefined && { onAsk: parseWord('--on-ask', typed.onAsk, ['fail']) }),
    ...(typed.timeout !== undefined && { timeoutMs: parseSeconds('--timeout', typed.timeout) }),
    ...(typed.idleTimeout !== undefined && {
      idleTimeoutMs: parseSeconds('--idle-timeout', typed.idleTimeout),
    }),
  };
}

function parsePromptSource(typed: TypedRunFlags, cwd: string): PromptSource {
  if (typed.prompt !== undefined && typed.file !== undefined) {
    throw new CliError('usage', 'PROMPT and --file cannot be combined');
  }
  if (typed.file === '-' || typed.prompt === '-') return { kind: 'standard-input' };
  if (typed.file !== undefined) return { kind: 'file', file: path.resolve(cwd, typed.file) };
  if (typed.prompt === undefined) return { kind: 'standard-input' };
  if (typed.prompt.trim() === '') throw new CliError('usage', 'the PROMPT is empty');
  return { kind: 'text', text: typed.prompt };
}
