import type { Clock } from '../../environment.ts';
import type { Job } from '../../job/job.ts';
import { parseArguments } from '../argument/arguments.ts';
import { toTitle } from '../argument/title.ts';
import { codeContent, textContent } from '../content.ts';
import type { Tool, ToolOutput } from '../tool.ts';

/** `output`: returns the new output of a background command, and whether it is still running. */
export const outputTool: Tool = {
  name: 'output',
  kind: 'read',
  description:
    'Gives what a command in the background wrote since the last time, and says whether it still runs or how it ended.',
  inputSchema: {
    type: 'object',
    properties: {
      job: { type: 'string', description: 'As `run` named it, for example job_1' },
      wait: {
        type: 'integer',
        minimum: 1,
        description: 'For how many seconds to wait for its end; by default not at all',
      },
    },
    required: ['job'],
  },
  isRepeatable: true,
  prepare(input, { jobs, environment, limits }) {
    const given = parseArguments('output', input);
    const job = jobs.find(given.word('job'));
    const waitMs = Math.min((given.optionalCount('wait') ?? 0) * 1000, limits.jobWaitMs);
    return {
      title: toTitle(`Output of ${job.id}: ${job.command}`),
      action: { kind: 'none' },
      run: async ({ signal }) => {
        if (waitMs > 0) await waitForEnd(job, waitMs, { clock: environment.clock, signal });
        signal.throwIfAborted();
        return toOutput(job);
      },
    };
  },
};

/** The output of a job; an error if it could not be started. */
export function toOutput(job: Job): ToolOutput {
  const { state } = job;
  const output = job.read();
  if (state.state === 'failed') throw state.error;
  const summary = job.end ?? `${output === '' ? 'Nothing new; it' : 'It'} still runs`;
  const isRunning = state.state === 'running';
  return {
    text: output === '' ? summary : `${output}${output.endsWith('\n') ? '' : '\n'}${summary}`,
    content: [...(output === '' ? [] : [codeContent(output)]), textContent(summary)],
    rawOutput: {
      job: job.id,
      isRunning,
      ...(!isRunning && { exitCode: state.result.status.exitCode, signal: state.result.status.signal }),
    },
  };
}

async function waitForEnd(
  job: Job,
  ms: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const over = new AbortController();
  const timeout = clock.sleep(ms, AbortSignal.any([signal, over.signal])).catch(() => undefined);
  await Promise.race([job.ended, timeout]);
  over.abort();
}
