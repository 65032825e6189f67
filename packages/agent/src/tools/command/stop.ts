import { parseArguments } from '../argument/arguments.ts';
import { toTitle } from '../argument/title.ts';
import type { Tool } from '../tool.ts';
import { toOutput } from './output.ts';

/** `stop`: ends a command in the background. */
export const stopTool: Tool = {
  name: 'stop',
  kind: 'execute',
  description: 'Ends a background command and everything that it started, and returns its remaining output.',
  inputSchema: {
    type: 'object',
    properties: { job: { type: 'string', description: 'As `run` named it, for example job_1' } },
    required: ['job'],
  },
  prepare(input, { jobs }) {
    const job = jobs.find(parseArguments('stop', input).word('job'));
    return {
      title: toTitle(`Stop ${job.id}: ${job.command}`),
      action: { kind: 'none' },
      run: async () => {
        await job.stop();
        return toOutput(job);
      },
    };
  },
};
