import { isDeeper } from '@parley/aap/server';
import type { ToolCallUpdate } from '@parley/acp';

/** Levels of lists and objects in what an agent sends about a call; more could neither be written nor compared. */
const maxLevels = 100;

/** Whether lists and objects are in each other more often than anything meant for people or programs would need. */
export function isTooDeep(value: unknown): boolean {
  return isDeeper(value, maxLevels);
}

/** What is sent about a call, with a note in the place of what is too deep. */
export function withoutDepths(call: ToolCallUpdate): ToolCallUpdate {
  const { rawInput, rawOutput, _meta: meta } = call;
  return {
    ...call,
    ...(isTooDeep(rawInput) && { rawInput: omitted }),
    ...(isTooDeep(rawOutput) && { rawOutput: omitted }),
    ...(isTooDeep(meta) && { _meta: { omitted } }),
  };
}

const omitted = 'left out: too many levels';
