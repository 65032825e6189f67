/** A tool as MCP lists it. */
export interface DelegationTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Name of the MCP server. Agents make it part of the names of its tools. */
export const teamServerName = 'parley-team';

/** Default of `seconds` in `wait`: less than the minute after which many MCP clients time out. */
const defaultWaitSeconds = 50;

/** The longest wait in seconds. */
const maxWaitSeconds = 3600;

const id = { type: 'string', description: 'The id that delegate returned.' };
const prompt = {
  type: 'string',
  description: 'What to do, complete: the agent does not see this conversation.',
};

/** The tools by which an agent delegates. */
export const delegationTools: readonly DelegationTool[] = [
  {
    name: 'list_agents',
    title: 'List agents',
    description: 'Lists the agents that work can be delegated to, and the delegates of this session.',
    parameters: toSchema({}),
  },
  {
    name: 'delegate',
    title: 'Delegate',
    description:
      'Starts another agent on a task of its own, and returns its id at once. Call wait with the id for its answer. It works in the same folder with the same rights, or in a git worktree.',
    parameters: toSchema(
      {
        agent: { type: 'string', description: 'The name of the agent, as list_agents has it.' },
        prompt,
        worktree: {
          type: ['boolean', 'string'],
          description:
            'true: a new git worktree that begins at the last commit; a string: the worktree of that name. Default: the folder of this session.',
        },
      },
      ['agent', 'prompt'],
    ),
  },
  {
    name: 'wait',
    title: 'Wait',
    description:
      'Waits until a delegate has finished, failed or ended, at most for the given seconds, and returns its state and its final message. While it works, the state is "running", or "requires_action" when it waits for the user: call wait again.',
    parameters: toSchema(
      {
        id,
        seconds: {
          type: 'number',
          description: `How long to wait at most. Default ${String(defaultWaitSeconds)}; 0 returns at once.`,
        },
      },
      ['id'],
    ),
  },
  {
    name: 'send',
    title: 'Send',
    description:
      'Sends another prompt to a delegate, which knows its conversation so far. Call wait for the answer.',
    parameters: toSchema({ id, prompt }, ['id', 'prompt']),
  },
  {
    name: 'cancel',
    title: 'Cancel',
    description: 'Cancels the work of a delegate. It can get another prompt afterwards.',
    parameters: toSchema({ id }, ['id']),
  },
];

/** A call of a tool, with a valid input. */
export type DelegationCall =
  | { readonly name: 'list_agents' }
  | {
      readonly name: 'delegate';
      readonly agent: string;
      readonly prompt: string;
      readonly worktree?: true | string;
    }
  | { readonly name: 'wait'; readonly id: string; readonly seconds: number }
  | { readonly name: 'send'; readonly id: string; readonly prompt: string }
  | { readonly name: 'cancel'; readonly id: string };

/** Reads a call. @throws {Error} What is wrong with it, for the model. */
export function parseDelegationCall(name: string, input: unknown): DelegationCall {
  const fields = isFields(input) ? input : {};
  const text = (field: string): string => {
    const value = fields[field];
    if (typeof value === 'string' && value !== '') return value;
    throw new Error(`${name}: "${field}" must be a string that is not empty`);
  };
  switch (name) {
    case 'list_agents':
      return { name };
    case 'delegate': {
      const { worktree } = fields;
      const call = { name, agent: text('agent'), prompt: text('prompt') } as const;
      if (worktree === undefined || worktree === null || worktree === false || worktree === '') return call;
      if (worktree === true || typeof worktree === 'string') return { ...call, worktree };
      throw new Error('delegate: "worktree" must be true or the name of a worktree');
    }
    case 'wait': {
      const { seconds = defaultWaitSeconds } = fields;
      const isValid = typeof seconds === 'number' && seconds >= 0;
      if (!isValid) throw new Error('wait: "seconds" must be a number of 0 or more');
      return { name, id: text('id'), seconds: Math.min(seconds, maxWaitSeconds) };
    }
    case 'send':
      return { name, id: text('id'), prompt: text('prompt') };
    case 'cancel':
      return { name, id: text('id') };
    default:
      throw new Error(`unknown tool ${JSON.stringify(name)}`);
  }
}

function toSchema(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
): DelegationTool['parameters'] {
  return { type: 'object', properties, required, additionalProperties: false };
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
