/** What the schema leaves without a name, and what it says in prose only. */

/**
 * A union inside another type, by where it stands. It becomes a type of its own.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const hoisted = {
  ElicitationFormMode: 'ElicitationScope',
  ElicitationUrlMode: 'ElicitationScope',
  'CreateElicitationRequest.other': 'ElicitationScope',
  'ProxyRequest.params': 'ProxyRequestParams',
};

/** Optional fields whose `null` says "clear it", which is not the same as absent. */
export const nullClears = new Set([
  'SessionInfoUpdate.title',
  'SessionInfoUpdate.updatedAt',
  'CompactionUpdate.summary',
  'CompactionUpdate.error',
  'CompactionUpdate._meta',
  'SubagentUpdate.title',
  'SubagentUpdate.description',
  'SubagentUpdate.capabilities',
  'SubagentUpdate.state',
  'SubagentUpdate.cwd',
  'SubagentUpdate.additionalDirectories',
  'SubagentUpdate._meta',
  'SessionMessage.senderSessionId',
  'SessionMessage.recipientSessionId',
  'SessionMessage.senderMessageId',
  'SessionMessage.recipientMessageId',
  'SessionMessage.content',
  'SessionMessage._meta',
]);

/** Members of unions whose name would say little. */
const members = {
  'IdleStateUpdate.none': 'SilentIdleState',
  'SetSessionConfigOptionRequest.boolean': 'SetBooleanConfigOptionRequest',
  'SetSessionConfigOptionRequest.value_id': 'SetValueConfigOptionRequest',
};

/** A member of a union is called by its tag and the union; here is what to say instead of the union's name. */
const endings = {
  CreateElicitationRequest: 'ElicitationRequest',
  CreateElicitationResponse: 'ElicitationResponse',
  ElicitationPropertySchema: 'ElicitationProperty',
  IdleStateUpdate: 'IdleState',
  MultiSelectItems: 'SelectItems',
  StateUpdate: 'State',
};

/** Tags whose members carry nothing of their own, said in one type. */
export const together = {
  IdleStateUpdate: {
    tags: ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'],
    tag: 'stopped',
  },
};

/** The tag under which we deliver members that we do not know. `unknown`, where the schema has not taken it. */
export function unknownTag(tags) {
  return tags.includes('unknown') ? 'other' : 'unknown';
}

/** `tool_call` of `SessionUpdate` is `ToolCallSessionUpdate`; an `_update` at the end goes where nothing is lost. */
export function memberName(union, tag, tags) {
  const short = tag.replace(/_update$/, '');
  return members[`${union}.${tag}`] ?? pascal(tags.includes(short) ? tag : short) + (endings[union] ?? union);
}

/** What all members of a union have. */
export function baseName(union) {
  return `${union}Base`;
}

function pascal(words) {
  return words
    .split(/[_\s-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
