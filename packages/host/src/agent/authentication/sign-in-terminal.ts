import {
  commandText,
  findExecutable,
  startProcess,
  WorkspaceError,
  type ExitStatus,
} from '@parley/workspace';
import { HostError } from '../../host-error.ts';
import { holdAlone } from '../../sandbox/hold-agent.ts';
import type { SandboxSettings } from '../../sandbox/sandbox-settings.ts';
import type { AgentSpec } from '../agent-spec.ts';
import type { TerminalSignIn } from './sign-in-method.ts';

/** A running sign-in command of an agent. */
export interface SignInTerminal {
  /** The output of both streams. Ends with the command. */
  readonly output: AsyncIterable<string>;
  readonly exited: Promise<ExitStatus>;
  /** Sends input; ignored after the end of the command. */
  type(text: string): void;
  /** Ends the command. */
  end(): Promise<void>;
}

/** Where a sign-in command runs. */
export interface SignInTerminalOptions {
  readonly cwd: string;
  /** Variables in addition to those of the spec, such as keys that a user entered. */
  readonly env: Readonly<Record<string, string>>;
  /** The sandbox of the agent, which also applies to its sign-in command. @default none */
  readonly sandbox?: SandboxSettings;
}

/**
 * Runs the command of a sign-in method, in a pseudo-terminal if the system has the program `script`: many sign-in
 * commands print their link without a terminal, but do not read a code.
 *
 * @throws {HostError} `start-failed`; `not-supported`: the agent is not a command on this machine.
 */
export async function openSignInTerminal(
  { name, reach, env: own }: AgentSpec,
  method: TerminalSignIn,
  { cwd, env: typed, sandbox: settings }: SignInTerminalOptions,
): Promise<SignInTerminal> {
  if (reach.by !== 'command') {
    throw new HostError('not-supported', `sign in to ${JSON.stringify(name)}: it runs on another machine`);
  }
  const words = [reach.command, ...(reach.args ?? []), ...method.args] as const;
  const env = { ...own, ...typed, ...method.env, ...settings?.env, TERM: 'xterm-256color' };
  const [command, ...args] = words;
  const held = settings && (await holdAlone(settings, { name, command, args, cwd, env, folders: [cwd] }));
  try {
    const { isTerminal, ...launch } = await onTerminal(words);
    const wanted = { ...launch, cwd, env };
    const group = await startProcess(held === undefined ? wanted : held.sandbox.hold(wanted).options);
    void group.closed.then(() => held?.[Symbol.asyncDispose]());
    // Its end is seen by its output.
    group.stdin.on('error', () => undefined);
    return {
      output: textOf([group.stdout, group.stderr]),
      exited: group.exited,
      type: (text) => {
        // The key Enter, where no terminal makes a line of it.
        const keys = isTerminal ? text : text.replaceAll('\r', '\n');
        if (group.stdin.writable) group.stdin.write(keys);
      },
      end: async () => {
        await group.end({ inputMs: 0 });
      },
    };
  } catch (error) {
    await held?.[Symbol.asyncDispose]();
    if (!(error instanceof WorkspaceError)) throw error;
    throw new HostError('start-failed', error.message, { cause: error });
  }
}

interface TerminalLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly isTerminal: boolean;
}

type Words = readonly [string, ...string[]];

/** The command on a terminal of its own, of a usual size. */
async function onTerminal([command, ...args]: Words): Promise<TerminalLaunch> {
  const script =
    process.platform === 'linux' || process.platform === 'darwin'
      ? await findExecutable('script', { cwd: '/', env: { PATH: '/usr/bin:/bin' } })
      : undefined;
  if (script === undefined) return { command, args, isTerminal: false };
  const line = `stty cols 100 rows 30 2>/dev/null; exec ${commandText([command, ...args])}`;
  return process.platform === 'darwin'
    ? { command: script, args: ['-q', '/dev/null', '/bin/sh', '-c', line], isTerminal: true }
    : { command: script, args: ['-qefc', line, '/dev/null'], isTerminal: true };
}

async function* textOf(streams: readonly AsyncIterable<Uint8Array>[]): AsyncGenerator<string> {
  const merged = new ReadableStream<string>(
    {
      start: async (controller) => {
        await Promise.all(
          streams.map(async (stream) => {
            const decoder = new TextDecoder();
            for await (const bytes of stream) {
              const text = decoder.decode(bytes, { stream: true });
              if (text !== '') controller.enqueue(text);
            }
          }),
        ).catch(() => undefined);
        controller.close();
      },
    },
    { highWaterMark: Infinity },
  );
  yield* merged;
}
