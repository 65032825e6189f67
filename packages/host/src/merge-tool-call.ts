import type { ToolCallUpdate } from '@parley/acp';

/**
 * A tool call after an update: its fields replace known ones. The tag of the update is left out.
 *
 * Calls with only fields of the protocol are merged field by field: an agent may send many updates, and to V8 of Node 20 each
 * copy of a copy that a spread makes is an object of a new kind.
 */
export function mergeToolCall(before: ToolCallUpdate, update: ToolCallUpdate): ToolCallUpdate {
  if (hasOthers(before) || hasOthers(update)) return withoutTag({ ...before, ...update });
  const call: Draft = { toolCallId: update.toolCallId };
  const title = update.title ?? before.title;
  if (title !== undefined) call.title = title;
  const name = update.name ?? before.name;
  if (name !== undefined) call.name = name;
  const kind = update.kind ?? before.kind;
  if (kind !== undefined) call.kind = kind;
  const status = update.status ?? before.status;
  if (status !== undefined) call.status = status;
  const content = update.content ?? before.content;
  if (content !== undefined) call.content = content;
  const locations = update.locations ?? before.locations;
  if (locations !== undefined) call.locations = locations;
  // These may be any value, also `null`.
  const rawInput = update.rawInput === undefined ? before.rawInput : update.rawInput;
  if (rawInput !== undefined) call.rawInput = rawInput;
  const rawOutput = update.rawOutput === undefined ? before.rawOutput : update.rawOutput;
  if (rawOutput !== undefined) call.rawOutput = rawOutput;
  const meta = update._meta ?? before._meta;
  if (meta !== undefined) call._meta = meta;
  return call;
}

/** A tool call without the tag of the update that it came in. */
export function withoutTag(update: ToolCallUpdate & { readonly sessionUpdate?: string }): ToolCallUpdate {
  const { sessionUpdate: _tag, ...call } = update;
  return call;
}

type Draft = { -readonly [Name in keyof ToolCallUpdate]: ToolCallUpdate[Name] };

/** Whether a call has fields that the protocol does not know. */
function hasOthers(call: ToolCallUpdate): boolean {
  for (const name in call) if (!isKnown(name)) return true;
  return false;
}

/** To look names up in a `Set` would cost more than merging does. */
function isKnown(name: string): boolean {
  switch (name) {
    case 'sessionUpdate':
    case 'toolCallId':
    case 'title':
    case 'name':
    case 'kind':
    case 'status':
    case 'content':
    case 'locations':
    case 'rawInput':
    case 'rawOutput':
    case '_meta':
      return true;
    default:
      return false;
  }
}
