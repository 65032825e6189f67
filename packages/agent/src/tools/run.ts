import type { CommandResult } from '../environment.ts';
import { parseArguments } from './arguments.ts';
import { codeContent, textContent } from './content.ts';
import { toTitle } from './title.ts';
import type { Tool } from './tool.ts';

/** `run`: a shell line in the session's working directory. */
export const runTool: Tool = {
  name: 'run',
  kind: 'execute',
  description:
    "Runs a shell command in the session's working directory and gives its output. It has no standard input.",
  inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  prepare(input, { files, commands, limits }) {
    const command = parseArguments('run', input).word('command');
    return {
      title: toTitle(`Run ${command}`),
      action: { kind: 'execute', command },
      // The title may be cut; what is allowed must be seen whole.
      preview: () => Promise.resolve({ content: [codeContent(command)] }),
      run: async ({ signal, show }) => {
        const { result, terminal } = await commands.run(command, { cwd: files.cwd, signal, show });
        const { exitCode, signal: endedBy } = result.status;
        const { output } = result;
        const summary = summarize(result, limits.commandIdleMs);
        const shown = output === '' ? [] : [codeContent(output)];
        return {
          text: output === '' ? summary : `${output}${output.endsWith('\n') ? '' : '\n'}${summary}`,
          content: [...(terminal === undefined ? shown : [terminal]), textContent(summary)],
          ...(terminal !== undefined && { keptContent: [...shown, textContent(summary)] }),
          rawOutput: { exitCode, signal: endedBy, truncated: result.truncated },
          isError: exitCode !== 0 || result.ended !== undefined,
        };
      },
    };
  },
};

function summarize({ status, ended }: CommandResult, idleMs: number): string {
  if (ended === 'idle') return `Ended after ${String(idleMs / 1000)} seconds without output`;
  if (ended !== undefined) return 'Ended before it was done';
  return status.signal === null ? `Exit status ${String(status.exitCode)}` : `Ended by ${status.signal}`;
}
