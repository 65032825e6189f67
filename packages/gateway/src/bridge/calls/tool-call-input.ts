import type { ToolCall, ToolCallInput } from '@parley/aap';
import type { Diff, PermissionOption, ToolCallUpdate } from '@parley/acp';
import { isJsonObject } from '@parley/wire';

/** Characters of a changed file, before and after, in the input of a call. */
const diffChars = 200_000;

/** Converts a call for an application: its name is the kind, its input what is known of it. */
export function toToolCall(toolCallId: string, call: ToolCallUpdate): ToolCall {
  return { toolCallId, name: kindOf(call), input: toInput(call) };
}

/** The tool that a call counts as. */
function kindOf({ kind }: ToolCallUpdate): string {
  return kind ?? 'other';
}

/** What the agent sends about a call and has no field in the protocol. */
export function toCallMeta(
  call: ToolCallUpdate,
  options?: readonly PermissionOption[],
): Readonly<Record<string, unknown>> {
  const { title, name, locations = [], content = [], _meta: meta } = call;
  const diffs = content.flatMap((item) => (item.type === 'diff' ? [toDiff(item)] : []));
  return {
    kind: kindOf(call),
    ...(title !== undefined && { title }),
    ...(name !== undefined && { name }),
    ...(locations.length > 0 && { locations }),
    ...(diffs.length > 0 && { diffs }),
    ...(options !== undefined && {
      options: options.map(({ optionId, name: text, kind }) => ({ optionId, name: text, kind })),
    }),
    ...(meta !== undefined && { agent: meta }),
  };
}

/** A change of a file, whole, unless it is too large to be sent twice. */
export function toDiff({ path, oldText, newText }: Diff): Readonly<Record<string, unknown>> {
  if (newText.length + (oldText?.length ?? 0) > diffChars) return { path, omitted: 'too-large' };
  return { path, ...(oldText !== undefined && { oldText }), newText };
}

/**
 * Whether the input of a call is known. Some agents announce a call with an empty input and send it later; others
 * never send one.
 */
export function isInputKnown({ rawInput }: ToolCallUpdate): boolean {
  return rawInput === undefined || !isJsonObject(rawInput) || Object.keys(rawInput).length > 0;
}

function toInput({ rawInput, title, locations = [] }: ToolCallUpdate): ToolCallInput {
  if (isJsonObject(rawInput) && Object.keys(rawInput).length > 0) return rawInput;
  return {
    ...(title !== undefined && { title }),
    ...(locations.length > 0 && { locations }),
    ...(rawInput !== undefined && rawInput !== null && !isJsonObject(rawInput) && { rawInput }),
  };
}
