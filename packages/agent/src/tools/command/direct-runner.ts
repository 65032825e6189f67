import type { CommandSandbox, Environment } from '../../environment.ts';
import type { AgentLimits } from '../../limits.ts';
import { codeContent } from '../content.ts';
import type { CommandRunner } from './command-runner.ts';
import { LiveOutput } from './live-output.ts';

/** Runs commands on this machine, in a sandbox if there is one, and shows the end of their output while it grows. */
export function createDirectRunner(
  environment: Environment,
  limits: AgentLimits,
  sandbox?: CommandSandbox,
): CommandRunner {
  return {
    run: async (command, { cwd, signal, show }) => {
      await using live = new LiveOutput({
        clock: environment.clock,
        intervalMs: limits.liveOutputMs,
        limitChars: limits.outputBytes,
        show: (text) => show([codeContent(text)]),
      });
      const result = await (sandbox ?? environment).runCommand({
        command,
        shell: true,
        cwd,
        input: 'ignore',
        signal,
        limitBytes: limits.outputBytes,
        keep: 'both-ends',
        idleMs: limits.commandIdleMs,
        onOutput: (text) => {
          live.append(text);
        },
      });
      return { result };
    },
  };
}
