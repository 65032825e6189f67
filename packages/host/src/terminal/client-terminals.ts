import type {
  CreateTerminalRequest,
  CreateTerminalResponse,
  KillTerminalResponse,
  ReleaseTerminalResponse,
  TerminalExitStatus,
  TerminalOutputResponse,
  ToolCallUpdate,
} from '@parley/acp';
import { commandText, type Command } from '@parley/workspace';
import { toCommand } from '../permission/command.ts';
import { judgeUnasked } from '../permission/judge-unasked.ts';
import { toRefusal } from '../refusal.ts';
import type { SessionCall } from '../session/session-call.ts';
import { toCommandLine } from './command-line.ts';

/** How much of a terminal's output is kept unless the agent says otherwise: 1 MiB. */
const defaultOutputBytes = 1024 * 1024;

/** The most that is kept, whatever the agent says: 16 MiB. */
const maxOutputBytes = 16 * 1024 * 1024;

/** How much of a terminal's output is told as an event at its end: 256 Ki characters. */
const toldOutputLength = 256 * 1024;

/** Which terminal. */
export interface TerminalParams {
  readonly terminalId: string;
}

/** Serves `terminal/create`: for a call that was granted this command, else as the policy and the person say. */
export async function createTerminal(
  params: CreateTerminalRequest,
  call: SessionCall,
): Promise<CreateTerminalResponse> {
  const { scope, host, signal } = call;
  try {
    const cwd = await scope.files.resolve(params.cwd ?? scope.files.cwd);
    const env = Object.fromEntries((params.env ?? []).map(({ name, value }) => [name, value]));
    const path = env['PATH'] ?? process.env['PATH'] ?? '';
    const line = await toCommandLine(params.command, params.args ?? [], { cwd, path });
    const command = line.shell ? line.command.trim() : toCommand([line.command, ...line.args]);
    // In a turn that was cancelled, what was granted before counts for nothing.
    let toolCallId = signal.aborted
      ? undefined
      : scope.grants.takeCommand(command, [cwd, ...(params.cwd === undefined ? [] : [params.cwd])]);
    if (toolCallId === undefined) {
      const act = {
        subject: { kind: 'execute', command, directory: cwd, paths: [] },
        action: `run ${JSON.stringify(commandText(command))}`,
        describe: () => Promise.resolve(describeCommand(command, cwd, env)),
      } as const;
      toolCallId = await judgeUnasked(act, call);
    }
    const limitBytes = Math.min(params.outputByteLimit ?? defaultOutputBytes, maxOutputBytes);
    const terminalId = await scope.terminals.create({
      line,
      cwd,
      env,
      limitBytes,
      onText: (id, text) => host.onOutput?.({ sessionId: scope.id, terminalId: id, text }),
    });
    const started = { sessionId: scope.id, terminalId, toolCallId, command: commandText(command), cwd };
    host.emit({ type: 'terminal-start', ...started });
    void tellEnd(terminalId, call);
    return { terminalId };
  } catch (error) {
    throw toRefusal(error);
  }
}

/** Serves `terminal/output`. */
export function terminalOutput(params: TerminalParams, { scope }: SessionCall): TerminalOutputResponse {
  return scope.terminals.get(params.terminalId).output();
}

/** Serves `terminal/wait_for_exit`. */
export function waitForExit(params: TerminalParams, { scope }: SessionCall): Promise<TerminalExitStatus> {
  return scope.terminals.get(params.terminalId).exited;
}

/** Serves `terminal/kill`: the command ends, the terminal stays. */
export async function killTerminal(
  params: TerminalParams,
  { scope }: SessionCall,
): Promise<KillTerminalResponse> {
  await scope.terminals.get(params.terminalId).kill();
  return {};
}

/** Serves `terminal/release`: the command ends, and the terminal's id means nothing any more. */
export async function releaseTerminal(
  params: TerminalParams,
  { scope }: SessionCall,
): Promise<ReleaseTerminalResponse> {
  await scope.terminals.release(params.terminalId);
  return {};
}

/** Tells of the end of a command; a terminal that is released ends with its command. */
async function tellEnd(terminalId: string, { scope, host }: SessionCall): Promise<void> {
  const terminal = scope.terminals.get(terminalId);
  const exitStatus = await terminal.exited;
  const { output, truncated } = terminal.output();
  host.emit({
    type: 'terminal-end',
    sessionId: scope.id,
    terminalId,
    output: output.slice(-toldOutputLength),
    truncated: truncated || output.length > toldOutputLength,
    ...exitStatus,
  });
}

function describeCommand(
  command: Command,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Omit<ToolCallUpdate, 'toolCallId'> {
  // Variables may change what a command does as much as its words.
  const variables = Object.entries(env).map(([name, value]) => `${name}=${commandText([value])}`);
  const text = `with ${variables.join(' ')}`;
  return {
    kind: 'execute',
    status: 'pending',
    title: commandText(command),
    rawInput: { command, cwd },
    ...(variables.length > 0 && { content: [{ type: 'content', content: { type: 'text', text } }] }),
  };
}
