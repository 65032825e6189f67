import { runCommand } from '@parley/workspace';
import { storeSetUp, type WorktreeRecord } from '@parley/workspace/worktree';
import { CliError } from '../cli-error.ts';
import type { Variables } from '../configuration/places.ts';
import { readSetupFile } from '../configuration/setup-file.ts';
import { isTrusted } from '../configuration/trusted-files.ts';

/** Displayed output of a failed setup script. */
const shownBytes = 4096;

/** How a set-up runs. */
export interface SetUpOptions {
  readonly env: Variables;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Receives what it writes. */
  readonly onOutput?: (text: string) => void;
}

/**
 * Runs `.parley/setup` in a worktree, once, where the user trusts its content: the worktree's own, else the one of the checkout.
 *
 * @throws {CliError} `setup-failed`
 */
export async function setUp(
  record: WorktreeRecord,
  { env, signal, warn, onOutput }: SetUpOptions,
): Promise<void> {
  if (record.isSetUp === true) return;
  const setup = (await readSetupFile(record.path)) ?? (await readSetupFile(record.checkout));
  if (setup === undefined) return;
  const { file, text } = setup;
  if (!(await isTrusted(setup.content, env))) {
    warn(
      `${file} was not run, because you have not trusted its current content; see parley permissions trust`,
    );
    return;
  }
  const { status, output, ended } = await runCommand({
    // A file without an interpreter, or without the right to be executed, is one for the shell.
    ...(/^#!\s*\S/u.test(text) ? toInterpreter(text, file) : { command: 'sh', args: [file] }),
    cwd: record.path,
    env: { PARLEY_CHECKOUT: record.checkout },
    signal,
    limitBytes: shownBytes,
    ...(onOutput !== undefined && { onOutput }),
  });
  signal.throwIfAborted();
  if (status.exitCode !== 0 || ended !== undefined) {
    const how =
      status.exitCode === null ? `signal ${status.signal ?? ''}` : `status ${String(status.exitCode)}`;
    const words = onOutput === undefined && output.trim() !== '' ? `: ${output.trim()}` : '';
    throw new CliError('setup-failed', `${file} failed with ${how}${words}`);
  }
  await storeSetUp(record);
}

/** The command that the first line names, as the system reads it: a program and at most one argument. */
function toInterpreter(
  text: string,
  file: string,
): { readonly command: string; readonly args: readonly string[] } {
  const [, command = 'sh', argument] = /^#!\s*(\S+)[^\S\n]*([^\n]*?)\s*(?:\n|$)/u.exec(text) ?? [];
  return { command, args: [...(argument === undefined || argument === '' ? [] : [argument]), file] };
}
