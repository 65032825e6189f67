import { isAbsolutePath } from '../../absolute-path.ts';
import type { SessionNotification, ToolCallContent, ToolCallLocation } from '../../schema/v1/unstable.ts';
import { checkConfigOptions } from './config-options.ts';
import { byClient, type Declared, type Gate } from './gate.ts';
import { type Objection, undeclared, unknownTag, within } from './objection.ts';
import { findRelativePath } from './paths.ts';

/** What speaks against an update that an agent is about to send. */
export function checkUpdate({ update }: SessionNotification, declared: Declared): Objection | undefined {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
    case 'plan':
    case 'available_commands_update':
    case 'current_mode_update':
    case 'session_info_update':
    case 'usage_update':
      return undefined;
    case 'tool_call':
    case 'tool_call_update':
      return checkToolCall(update, 'update');
    case 'config_option_update':
      return within('update', checkConfigOptions(update, declared));
    case 'notice':
      return checkKind(update.sessionUpdate, notices, declared);
    case 'compaction_update':
    case 'compaction_summary_chunk':
      return checkKind(update.sessionUpdate, compaction, declared);
    case 'plan_update':
    case 'plan_removed':
      return checkKind(update.sessionUpdate, plans, declared);
    case 'subagent_update':
    case 'session_message':
    case 'session_message_chunk':
      return checkKind(update.sessionUpdate, subagents, declared);
    case 'unknown':
      return unknownTag('update.sessionUpdate', 'a known kind of update', update.raw['sessionUpdate']);
  }
}

/** ACP v1, Tool Calls: the paths of diffs and locations are absolute. */
export function checkToolCall(
  {
    content,
    locations,
  }: { readonly content?: readonly ToolCallContent[]; readonly locations?: readonly ToolCallLocation[] },
  place: string,
): Objection | undefined {
  const isRelative =
    content?.some((item) => item.type === 'diff' && !isAbsolutePath(item.path)) === true ||
    locations?.some(({ path }) => !isAbsolutePath(path)) === true;
  if (!isRelative) return undefined;
  return within(place, findRelativePath({ content, locations }, ['content[].path', 'locations[].path']));
}

/**
 * Whether an update belongs to a turn: there is none of it between two turns. What may change at any time (commands,
 * mode, options, title, usage, notices, compaction) does not.
 */
export function isTurnUpdate(kind: string): boolean {
  switch (kind) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
    case 'tool_call':
    case 'tool_call_update':
    case 'plan':
    case 'plan_update':
    case 'plan_removed':
      return true;
    default:
      return false;
  }
}

function checkKind(kind: string, gate: Gate, declared: Declared): Objection | undefined {
  return gate.isOpen(declared) ? undefined : undeclared('update.sessionUpdate', gate, kind);
}

const notices = byClient('session.notices', (client) => client.session?.notices);
const compaction = byClient('session.compaction', (client) => client.session?.compaction);
const plans = byClient('plan', (client) => client.plan);
const subagents = byClient('subagents', (client) => client.subagents);
