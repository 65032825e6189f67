import type {
  CreateTerminalRequest,
  CreateTerminalResponse,
  EnvVariable,
  KillTerminalResponse,
  ReleaseTerminalResponse,
  TerminalExitStatus,
  TerminalOutputResponse,
  ToolCallUpdate,
} from '@parley/acp';
import { checkProgram, commandText, safeSearchPath, type Command } from '@parley/workspace';
import type { SessionCall } from '../../agent-session/session-call.ts';
import type { TerminalEndEvent } from '../../event/resource-event.ts';
import { judgeUnasked } from '../../permission/judge-unasked.ts';
import { programOf, toRequestedAction } from '../../permission/request/to-requested-action.ts';
import { toRefusal } from '../refusal.ts';
import { toCommandLine } from './command-line.ts';

/** Stored output of a terminal, unless the agent requests another limit: 1 MiB. */
const defaultOutputBytes = 1024 * 1024;

/** Stored output of a terminal, even if the agent requests more: 16 MiB. */
const maxOutputBytes = 16 * 1024 * 1024;

/** Characters of a terminal's output in its last event: 256 Ki. */
const eventOutputLength = 256 * 1024;

/** Which terminal. */
export interface TerminalParams {
  readonly terminalId: string;
}

/** Serves `terminal/create`: for a call that was granted this command, else as the policy and the user decide. */
export async function createTerminal(
  params: CreateTerminalRequest,
  call: SessionCall,
): Promise<CreateTerminalResponse> {
  const { scope, host, signal } = call;
  try {
    // Held open until the command has started: it starts in the folder that was judged, even if another one replaced it.
    await using folder = await scope.files.hold(params.cwd ?? scope.files.cwd);
    const { env = [] } = params;
    const line = await toCommandLine(params.command, params.args ?? [], async (name) => {
      return (await programOf([name], { cwd: folder.path, env, place: scope })) !== undefined;
    });
    const command = line.shell ? line.command.trim() : [line.command, ...line.args];
    const toolCall = describeCommand(command, folder.path, env);
    const known = { command, cwd: folder.path, env };
    // Without what says the variables once more, in words.
    const { content: _variables, ...bare } = toolCall;
    const seen = await toRequestedAction({ toolCallId: '', ...bare }, scope, { known });
    // In a turn that was cancelled, what was granted before counts for nothing.
    let toolCallId = signal.aborted ? undefined : scope.grants.takeCommand(seen);
    const text = commandText(command);
    toolCallId ??= await judgeUnasked({ seen, name: `run ${JSON.stringify(text)}`, toolCall }, call);
    await host.checkpoints?.beforeWrite(signal);
    await folder.check();
    for (const program of [seen.program, seen.named]) if (program !== undefined) await checkProgram(program);
    const served = host.clients?.serving(scope.id, 'terminal/create');
    if (served !== undefined) {
      const terminalId = await scope.clientTerminals.create(params, { serve: served, signal });
      host.emit({
        type: 'terminal-start',
        sessionId: scope.id,
        terminalId,
        toolCallId,
        command: text,
        cwd: folder.path,
      });
      return { terminalId };
    }
    const limitBytes = Math.min(params.outputByteLimit ?? defaultOutputBytes, maxOutputBytes);
    const terminalId = await scope.terminals.create({
      line,
      ...(seen.program !== undefined && { program: seen.program.realPath }),
      cwd: folder.path,
      reach: folder.reach,
      env: await environmentFor(env, scope.files.directories),
      limitBytes,
      ...(host.sandbox !== undefined && { sandbox: host.sandbox }),
      onText: (id, output) => host.onOutput?.({ sessionId: scope.id, terminalId: id, text: output }),
    });
    const started = { sessionId: scope.id, terminalId, toolCallId, command: text, cwd: folder.path };
    host.emit({ type: 'terminal-start', ...started });
    void emitEnd(terminalId, call);
    return { terminalId };
  } catch (error) {
    throw toRefusal(error);
  }
}

/**
 * The variables that were shown to the user. If `PATH` is not among them, project folders come after system folders
 * on it.
 */
async function environmentFor(
  variables: readonly EnvVariable[],
  projects: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  const { PATH: inherited } = process.env;
  if (process.platform === 'win32' || 'PATH' in env || inherited === undefined) return env;
  return { ...env, PATH: await safeSearchPath(inherited, projects) };
}

/** Serves `terminal/output`. */
export async function terminalOutput(
  params: TerminalParams,
  { scope, signal }: SessionCall,
): Promise<TerminalOutputResponse> {
  const served = scope.clientTerminals.get(params.terminalId);
  return served === undefined ? scope.terminals.get(params.terminalId).output() : served.output(signal);
}

/** Serves `terminal/wait_for_exit`. */
export function waitForExit(
  params: TerminalParams,
  { scope, signal }: SessionCall,
): Promise<TerminalExitStatus> {
  const served = scope.clientTerminals.get(params.terminalId);
  return served === undefined ? scope.terminals.get(params.terminalId).exited : served.exited(signal);
}

/** Serves `terminal/kill`: the command ends, the terminal stays. */
export async function killTerminal(
  params: TerminalParams,
  { scope, signal }: SessionCall,
): Promise<KillTerminalResponse> {
  const served = scope.clientTerminals.get(params.terminalId);
  if (served === undefined) await scope.terminals.get(params.terminalId).kill();
  else await served.kill(signal);
  return {};
}

/** Serves `terminal/release`: ends the command and invalidates the terminal's id. */
export async function releaseTerminal(
  params: TerminalParams,
  { scope, host, signal }: SessionCall,
): Promise<ReleaseTerminalResponse> {
  const { terminalId } = params;
  const served = scope.clientTerminals.get(terminalId);
  if (served === undefined) {
    await scope.terminals.release(terminalId);
    return {};
  }
  scope.clientTerminals.delete(terminalId);
  const { output, truncated, exitStatus } = await served.output(signal);
  host.emit(toTerminalEnd(scope.id, { terminalId, output, truncated, ...exitStatus }));
  await served.release(signal);
  return {};
}

/** Emits the end of a command; a terminal that is released ends with its command. */
async function emitEnd(terminalId: string, { scope, host }: SessionCall): Promise<void> {
  const terminal = scope.terminals.get(terminalId);
  const exitStatus = await terminal.exited;
  const { output, truncated } = terminal.output();
  host.emit(toTerminalEnd(scope.id, { terminalId, output, truncated, ...exitStatus }));
}

function toTerminalEnd(
  sessionId: string,
  { output, truncated, ...ended }: Omit<TerminalEndEvent, 'type' | 'sessionId'>,
): TerminalEndEvent {
  return {
    type: 'terminal-end',
    sessionId,
    output: output.slice(-eventOutputLength),
    truncated: truncated || output.length > eventOutputLength,
    ...ended,
  };
}

function describeCommand(
  command: Command,
  cwd: string,
  env: readonly EnvVariable[],
): Omit<ToolCallUpdate, 'toolCallId'> {
  // Variables may change what a command does as much as its words.
  const variables = env.map(({ name, value }) => `${name}=${commandText([value])}`);
  const text = `with ${variables.join(' ')}`;
  return {
    kind: 'execute',
    status: 'pending',
    title: commandText(command),
    rawInput: { command, cwd },
    ...(variables.length > 0 && { content: [{ type: 'content', content: { type: 'text', text } }] }),
  };
}
