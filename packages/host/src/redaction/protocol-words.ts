/**
 * Words of the protocol itself: kinds, states and names of fields. They appear in messages regardless of secrets. Without this, a
 * variable such as `FORMAT=text` would leave nothing of an agent's messages that could be read.
 */
export const protocolWords: ReadonlySet<string> = new Set(
  (
    'agent_message_chunk agent_thought_chunk allow_always allow_once annotations assistant audio available_commands_update ' +
    'blob boolean cancelled category command completed config_option_update content cost cwd current_mode_update ' +
    'currentModeId currentValue data decline default delete description diff edit embedded end_turn entries execute failed ' +
    'fetch form group high image in_progress input kind label line locations low max_tokens max_turn_requests medium message ' +
    'messageId method mimeType move name newText oldText option optionId options other path pending plan priority rawInput ' +
    'rawOutput read refusal reject_always reject_once resource resource_link role search select session_info_update sessionId ' +
    'sessionUpdate size status string switch_mode terminal terminalId text think title toolCall toolCallId tool_call ' +
    'tool_call_update type update uri usage_update used user user_message_chunk value values'
  ).split(' '),
);
