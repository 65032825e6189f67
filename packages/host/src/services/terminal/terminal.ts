import type { TerminalExitStatus, TerminalOutputResponse } from '@parley/acp';
import {
  createOutputBuffer,
  startProcess,
  type ExitStatus,
  type OutputBuffer,
  type ProcessOptions,
  type ProcessGroup,
} from '@parley/workspace';
import type { Sandbox } from '@parley/workspace/sandbox';
import type { CommandLine } from './command-line.ts';

/** What to start, and where. */
export interface TerminalOptions {
  readonly line: CommandLine;
  /** The resolved program, or the shell of a command line. @default the system resolves it */
  readonly program?: string;
  readonly cwd: string;
  /** The path by which the system reaches `cwd` while a handle holds it open. @default `cwd` */
  readonly reach?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Maximum number of bytes of output that are stored; the oldest are dropped. */
  readonly limitBytes: number;
  /** The sandbox of the command. @default none */
  readonly sandbox?: Sandbox;
  /** Receives its output as it comes. @default none */
  readonly onText?: (text: string) => void;
}

/** A command that an agent runs through the client. */
export interface Terminal {
  /** What it has written so far, and how it ended, if it did. */
  output(): TerminalOutputResponse;
  /** Settles when the command has ended and all it wrote was read. */
  readonly exited: Promise<TerminalExitStatus>;
  /** Ends the command and all it started. Its output can still be read. */
  kill(): Promise<void>;
}

/** Starts a command; does not wait for it. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const { limitBytes, onText, sandbox } = options;
  const wanted = toProcess(options);
  const group = await startProcess(sandbox === undefined ? wanted : sandbox.hold(wanted).options);
  return new StartedTerminal(group, createOutputBuffer({ limitBytes }), onText);
}

/** The program that was judged is started by its own path, with the name by which the agent called it. */
function toProcess({ line, program, cwd, reach, env }: TerminalOptions): ProcessOptions {
  const place = { cwd, ...(reach !== undefined && { reach }), env, input: 'ignore' } as const;
  // Windows finds its programs, and runs batch files, by rules of its own.
  if (program === undefined || process.platform === 'win32') return { ...line, ...place };
  return line.shell
    ? { command: program, args: ['-c', line.command], argv0: 'sh', ...place }
    : { command: program, args: line.args, argv0: line.command, ...place };
}

class StartedTerminal implements Terminal {
  readonly exited: Promise<TerminalExitStatus>;
  readonly #group: ProcessGroup;
  readonly #output: OutputBuffer;
  #exitStatus: TerminalExitStatus | undefined;

  constructor(group: ProcessGroup, output: OutputBuffer, onText: (text: string) => void = () => {}) {
    this.#group = group;
    this.#output = output;
    const take = (text: string): void => {
      output.append(encoder.encode(text));
      onText(text);
    };
    keep(group.stdout, take);
    keep(group.stderr, take);
    this.exited = group.closed.then((status) => {
      this.#exitStatus = toExitStatus(status);
      return this.#exitStatus;
    });
  }

  output(): TerminalOutputResponse {
    const { truncated } = this.#output;
    const output = this.#output.text();
    if (this.#exitStatus === undefined) return { output, truncated };
    return { output, truncated, exitStatus: this.#exitStatus };
  }

  async kill(): Promise<void> {
    await this.#group.end({ inputMs: 0 });
    await this.exited;
  }
}

const encoder = new TextEncoder();

/** The two streams of a command take turns anywhere, also inside a character: each is decoded by itself. */
function keep(stream: ProcessGroup['stdout'], take: (text: string) => void): void {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  stream.on('data', (bytes: Uint8Array) => {
    take(decoder.decode(bytes, { stream: true }));
  });
  stream.on('end', () => {
    take(decoder.decode());
  });
}

function toExitStatus({ exitCode, signal }: ExitStatus): TerminalExitStatus {
  return { ...(exitCode !== null && { exitCode }), ...(signal !== null && { signal }) };
}
