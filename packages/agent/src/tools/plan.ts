import type { PlanEntry, PlanEntryPriority, PlanEntryStatus } from '@parley/acp';
import { AgentError } from '../agent-error.ts';
import { parseArguments } from './argument/arguments.ts';
import type { Tool } from './tool.ts';

/** `plan`: the steps of a larger task, shown to the user as a plan and not as a tool call. */
export const planTool: Tool = {
  name: 'plan',
  kind: 'think',
  description:
    'Shows the user the steps of a task that takes several, and how far they are. Give the whole list each time; it ' +
    'replaces the one before. Keep one step in progress, and mark a step completed as soon as it is.',
  inputSchema: {
    type: 'object',
    properties: {
      entries: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            content: { type: 'string', description: 'The task, in a few words' },
            status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
            priority: { type: 'string', enum: ['high', 'medium', 'low'], description: 'By default medium' },
          },
          required: ['content', 'status'],
        },
      },
    },
    required: ['entries'],
  },
  prepare(input) {
    const entries = parseArguments('plan', input).list('entries').map(parseEntry);
    if (entries.length === 0) throw new AgentError('invalid-input', 'plan: "entries" must not be empty');
    return { plan: entries };
  },
};

const statuses: readonly PlanEntryStatus[] = ['pending', 'in_progress', 'completed'];
const priorities: readonly PlanEntryPriority[] = ['high', 'medium', 'low'];

function parseEntry(value: unknown, index: number): PlanEntry {
  const given = parseArguments(`plan: entries[${String(index)}]`, value);
  return {
    content: given.word('content'),
    status: given.optionalChoice('status', statuses) ?? 'pending',
    priority: given.optionalChoice('priority', priorities) ?? 'medium',
  };
}
