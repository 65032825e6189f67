import type { Readable } from 'node:stream';
import { wholeCharactersLength } from '../output/character-boundary.ts';
import { createOutputBuffer } from '../output/output-buffer.ts';
import { createOutputExcerpt } from '../output/output-excerpt.ts';
import type { ExitStatus, ProcessGroup } from './process-group.ts';
import { type ProcessOptions, startProcess } from './start-process.ts';

/** The command to run, and its limits. */
export interface CommandOptions extends ProcessOptions {
  /** Aborting ends the command, which is a result, not an error. */
  readonly signal?: AbortSignal;
  /** Receives the output in whole characters. If it throws, the command is ended and the error thrown. */
  readonly onOutput?: (text: string) => void;
  /** Size of the stored output. @default 1 MiB */
  readonly limitBytes?: number;
  /**
   * The part of longer output that is stored; between both ends, a line says how much was omitted. @default the end
   */
  readonly keep?: 'end' | 'both-ends';
  /** Ends the command after this much silence. @default never */
  readonly idleMs?: number;
  /** Ends the command after this duration. @default never */
  readonly timeoutMs?: number;
  /** From TERM to KILL when the command is ended. @default 1000 */
  readonly termMs?: number;
}

/** The result of a command. */
export interface CommandResult {
  readonly status: ExitStatus;
  /** Standard output and standard error, in the order they were read. */
  readonly output: string;
  /** Whether output was omitted. */
  readonly truncated: boolean;
  /** Why Parley ended the command; absent if it ended by itself. */
  readonly ended?: CommandEnd;
}

/** Why Parley ended a command. */
export type CommandEnd = 'aborted' | 'idle' | 'timeout';

/** Stored output, unless an option sets another limit: 1 MiB. */
const defaultOutputBytes = 1024 * 1024;

/** Runs a command to its end. When this returns or throws, no process of its group is left. */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  const { signal, limitBytes = defaultOutputBytes, keep = 'end' } = options;
  const output = keep === 'end' ? createOutputBuffer({ limitBytes }) : createOutputExcerpt({ limitBytes });
  if (signal?.aborted === true) {
    return { status: { exitCode: null, signal: null }, output: '', truncated: false, ended: 'aborted' };
  }
  const group = await startProcess({ input: 'ignore', ...options });
  const watch = watchCommand(group, options);
  let fault: { readonly error: unknown } | undefined;
  const take = (bytes: Uint8Array): void => {
    watch.heard();
    output.append(bytes);
    if (fault !== undefined) return;
    try {
      options.onOutput?.(decoder.decode(bytes));
    } catch (error) {
      fault = { error };
      group.kill();
    }
  };
  readWhole(group.stdout, take);
  readWhole(group.stderr, take);
  const status = await group.closed;
  watch.stop();
  if (fault !== undefined) throw fault.error;
  const ended = watch.ended();
  const result = { status, output: output.text(), truncated: output.truncated };
  return ended === undefined ? result : { ...result, ended };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const replacement = new TextEncoder().encode('\uFFFD');

/** Passes on the output of a stream in complete characters, because the output of two streams may alternate. */
function readWhole(stream: Readable, take: (bytes: Uint8Array) => void): void {
  let cut: Uint8Array = new Uint8Array(0);
  stream.on('data', (chunk: Buffer) => {
    const bytes = cut.length === 0 ? chunk : Buffer.concat([cut, chunk]);
    const whole = wholeCharactersLength(bytes);
    cut = Uint8Array.from(bytes.subarray(whole));
    if (whole > 0) take(bytes.subarray(0, whole));
  });
  stream.on('end', () => {
    if (cut.length > 0) take(replacement);
  });
}

interface CommandWatch {
  heard(): void;
  ended(): CommandEnd | undefined;
  stop(): void;
}

/** Ends the group on abort, silence or timeout, and remembers which came first. */
function watchCommand(group: ProcessGroup, options: CommandOptions): CommandWatch {
  const { signal, idleMs, timeoutMs, termMs } = options;
  let ended: CommandEnd | undefined;
  let hasExited = false;
  void group.exited.then(() => {
    hasExited = true;
  });
  const end = (why: CommandEnd): void => {
    if (hasExited || ended !== undefined) return;
    ended = why;
    void group.end(termMs === undefined ? { inputMs: 0 } : { inputMs: 0, termMs });
  };
  const abort = (): void => end('aborted');
  const silence = idleMs === undefined ? undefined : setTimeout(end, idleMs, 'idle');
  const deadline = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs, 'timeout');
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  return {
    heard: () => silence?.refresh(),
    ended: () => ended,
    stop: () => {
      clearTimeout(silence);
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
    },
  };
}
