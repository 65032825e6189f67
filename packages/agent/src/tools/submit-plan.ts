import { parseArguments } from './argument/arguments.ts';
import { textContent } from './content.ts';
import type { Tool } from './tool.ts';

/** `submit_plan`: ends planning, when the user approves; offered in the mode `plan` alone. */
export const submitPlanTool: Tool = {
  name: 'submit_plan',
  kind: 'switch_mode',
  description:
    'Shows the user the plan you have made and asks for approval. Call it when the plan is complete. When it is ' +
    'approved, you may carry it out at once.',
  inputSchema: {
    type: 'object',
    properties: { plan: { type: 'string', description: 'The plan, in Markdown' } },
    required: ['plan'],
  },
  prepare(input) {
    const plan = parseArguments('submit_plan', input).word('plan');
    return {
      title: 'Plan ready for approval',
      action: { kind: 'switch-mode', plan },
      run: () =>
        Promise.resolve({
          text: 'The user approved the plan. You may make changes now: carry the plan out.',
          content: [textContent(plan)],
          rawOutput: { approved: true },
        }),
    };
  },
};
