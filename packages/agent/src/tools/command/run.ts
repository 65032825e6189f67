import { AgentError } from '../../agent-error.ts';
import { commandEnd } from '../../command-end.ts';
import type { CommandResult, CommandSandbox } from '../../environment.ts';
import type { SeenFile } from '../../files.ts';
import type { CommandAction } from '../../permission/action.ts';
import { parseArguments } from '../argument/arguments.ts';
import { toTitle } from '../argument/title.ts';
import { codeContent, textContent } from '../content.ts';
import type { PreparedCall, Preview, Tool, Workplace } from '../tool.ts';
import { Deadline } from './deadline.ts';
import { createDirectRunner } from './direct-runner.ts';

/** `run`: a shell line in the session's working directory, whose end is waited for or not. */
export const runTool: Tool = {
  name: 'run',
  kind: 'execute',
  description:
    "Runs a shell command in the session's working directory and gives its output. It has no standard input. " +
    'In the background it continues while you work: for servers, watchers and long tasks.',
  inputSchema: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'A line for the shell' },
      background: {
        type: 'boolean',
        description:
          'Answers at once with the name of a job, for the tools `output` and `stop`; by default false',
      },
      timeout: {
        type: 'integer',
        minimum: 1,
        description:
          'Seconds after which the command is ended; by default it may take as long as it writes something',
      },
      outside: {
        type: 'boolean',
        description:
          'Where commands run in a sandbox: runs this one outside, if the user allows it; by default false',
      },
    },
    required: ['command'],
  },
  prepare(input, workplace) {
    const given = parseArguments('run', input);
    const command = given.word('command');
    const timeout = given.optionalCount('timeout');
    const line = toLine(command, given.optionalFlag('outside') === true, workplace);
    return given.optionalFlag('background') === true
      ? inBackground(line, workplace)
      : inForeground(line, timeout, workplace);
  },
};

/** A shell line, and where it runs. */
interface Line {
  readonly action: CommandAction;
  /** Holds it. @default it is not held */
  readonly sandbox?: CommandSandbox;
  /** Where it runs, for the user who decides about it. @default there is no sandbox */
  readonly note?: string;
}

function toLine(command: string, isOutside: boolean, { sandbox }: Workplace): Line {
  const action = { kind: 'execute', command } as const;
  if (sandbox === undefined) return { action };
  if (isOutside) {
    const note = 'This command leaves the sandbox: it has all rights of your user';
    return { action: { ...action, sandbox: 'outside' }, note };
  }
  return {
    action: { ...action, sandbox: sandbox.autoApprove ? 'approved' : 'inside' },
    sandbox,
    note: `Commands run in a sandbox: ${sandbox.limits}`,
  };
}

function inForeground(line: Line, timeout: number | undefined, workplace: Workplace): PreparedCall {
  const { files, environment, limits } = workplace;
  const { action, sandbox } = line;
  const { command } = action;
  const place = new ShownFolder(workplace);
  const commands =
    sandbox === undefined ? workplace.commands : createDirectRunner(environment, limits, sandbox);
  return {
    title: toTitle(leavesSandbox(line) ? `Run outside of the sandbox ${command}` : `Run ${command}`),
    action,
    // The title may be cut; what is allowed must be seen whole.
    preview: () => place.preview(line),
    run: async ({ signal, show }) => {
      await place.check();
      const timeoutMs = timeout === undefined ? undefined : timeout * 1000;
      using deadline = new Deadline(timeoutMs, environment.clock, signal);
      const { result, terminal } = await commands.run(command, {
        cwd: files.cwd,
        signal: deadline.signal,
        show,
      });
      const { exitCode, signal: endedBy } = result.status;
      const { output } = result;
      const summary = deadline.isOver
        ? `Ended after ${String(timeout)} seconds, its time limit. ${advice}`
        : summarize(result, limits.commandIdleMs, sandbox);
      const code = deadline.isOver ? 'timeout' : failureOf(result);
      const shown = output === '' ? [] : [codeContent(output)];
      return {
        text: output === '' ? summary : `${output}${output.endsWith('\n') ? '' : '\n'}${summary}`,
        content: [...(terminal === undefined ? shown : [terminal]), textContent(summary)],
        ...(terminal !== undefined && { keptContent: [...shown, textContent(summary)] }),
        rawOutput: {
          exitCode,
          signal: endedBy,
          truncated: result.truncated,
          ...(code !== undefined && { error: { code, message: summary } }),
        },
        isError: code !== undefined,
      };
    },
  };
}

function leavesSandbox({ action }: Line): boolean {
  return action.sandbox === 'outside';
}

/** Why a command counts as failed; undefined when it does not. */
function failureOf({ status, ended }: CommandResult): string | undefined {
  if (ended !== undefined) return ended === 'aborted' ? 'cancelled' : ended;
  if (status.signal !== null) return 'signal';
  return status.exitCode === 0 ? undefined : 'exit-status';
}

const advice = 'Run a long command in the background';

function summarize(result: CommandResult, idleMs: number, sandbox: CommandSandbox | undefined): string {
  if (result.ended === 'idle') {
    return `Ended after ${String(idleMs / 1000)} seconds without output. ${advice}`;
  }
  const end = commandEnd(result);
  if (sandbox === undefined || failureOf(result) !== 'exit-status') return end;
  return `${end}, in a sandbox: ${sandbox.limits}. If it failed for that reason, run it with "outside"`;
}

function inBackground(line: Line, workplace: Workplace): PreparedCall {
  const { action, sandbox } = line;
  const { command } = action;
  const place = new ShownFolder(workplace);
  return {
    title: toTitle(
      leavesSandbox(line)
        ? `Run in the background, outside of the sandbox: ${command}`
        : `Run in the background: ${command}`,
    ),
    action,
    preview: () => place.preview(line),
    run: async () => {
      await place.check();
      const { id } = workplace.jobs.start(command, sandbox);
      const text = `${id} runs in the background`;
      return { text, content: [textContent(text)], rawOutput: { job: id } };
    },
  };
}

/** The folder that a command is shown to start in: in another one that has taken its place, it does not. */
class ShownFolder {
  readonly #workplace: Workplace;
  #seen: SeenFile | undefined;

  constructor(workplace: Workplace) {
    this.#workplace = workplace;
  }

  /** What a user is shown of a command. */
  async preview({ action, note }: Line): Promise<Preview> {
    const { cwd, files } = this.#workplace;
    this.#seen = await files.see(files.cwd);
    const notes = note === undefined ? [] : [textContent(note)];
    return { content: [codeContent(action.command), ...notes], startsIn: cwd };
  }

  async check(): Promise<void> {
    const { files } = this.#workplace;
    if (this.#seen === undefined || (await files.see(files.cwd)).mark === this.#seen.mark) return;
    const reason = 'the folder was replaced after the user had been shown it. Nothing was started';
    throw new AgentError('changed', `run in ${JSON.stringify(files.cwd)}: ${reason}`);
  }
}
