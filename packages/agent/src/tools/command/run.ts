import { AgentError } from '../../agent-error.ts';
import { commandEnd } from '../../command-end.ts';
import type { CommandResult } from '../../environment.ts';
import type { SeenFile } from '../../files.ts';
import { parseArguments } from '../argument/arguments.ts';
import { toTitle } from '../argument/title.ts';
import { codeContent, textContent } from '../content.ts';
import type { PreparedCall, Preview, Tool, Workplace } from '../tool.ts';
import { Deadline } from './deadline.ts';

/** `run`: a shell line in the session's working directory, whose end is waited for or not. */
export const runTool: Tool = {
  name: 'run',
  kind: 'execute',
  description:
    "Runs a shell command in the session's working directory and gives its output. It has no standard input. " +
    'In the background it goes on while you work: for servers, watchers, and what takes long.',
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
    },
    required: ['command'],
  },
  prepare(input, workplace) {
    const given = parseArguments('run', input);
    const command = given.word('command');
    const timeout = given.optionalCount('timeout');
    return given.optionalFlag('background') === true
      ? inBackground(command, workplace)
      : inForeground(command, timeout, workplace);
  },
};

function inForeground(command: string, timeout: number | undefined, workplace: Workplace): PreparedCall {
  const { files, commands, environment, limits } = workplace;
  const place = new ShownFolder(workplace);
  return {
    title: toTitle(`Run ${command}`),
    action: { kind: 'execute', command },
    // The title may be cut; what is allowed must be seen whole.
    preview: () => place.preview(command),
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
        : summarize(result, limits.commandIdleMs);
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

/** Why a command counts as failed; undefined when it does not. */
function failureOf({ status, ended }: CommandResult): string | undefined {
  if (ended !== undefined) return ended === 'aborted' ? 'cancelled' : ended;
  if (status.signal !== null) return 'signal';
  return status.exitCode === 0 ? undefined : 'exit-status';
}

const advice = 'A command that is to go on can run in the background';

function summarize(result: CommandResult, idleMs: number): string {
  if (result.ended !== 'idle') return commandEnd(result);
  return `Ended after ${String(idleMs / 1000)} seconds without output. ${advice}`;
}

function inBackground(command: string, workplace: Workplace): PreparedCall {
  const place = new ShownFolder(workplace);
  return {
    title: toTitle(`Run in the background: ${command}`),
    action: { kind: 'execute', command },
    preview: () => place.preview(command),
    run: async () => {
      await place.check();
      const { id } = workplace.jobs.start(command);
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
  async preview(command: string): Promise<Preview> {
    const { cwd, files } = this.#workplace;
    this.#seen = await files.see(files.cwd);
    return { content: [codeContent(command)], startsIn: cwd };
  }

  async check(): Promise<void> {
    const { files } = this.#workplace;
    if (this.#seen === undefined || (await files.see(files.cwd)).mark === this.#seen.mark) return;
    const reason = 'the folder was replaced after the user had been shown it. Nothing was started';
    throw new AgentError('changed', `run in ${JSON.stringify(files.cwd)}: ${reason}`);
  }
}
