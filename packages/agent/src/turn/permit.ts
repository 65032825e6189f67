import type { ToolCall } from '@parley/acp';
import type { Ruling, Subject } from '@parley/workspace/rule';
import type { Conversation } from '../conversation/conversation.ts';
import type { Environment, ProtectedFile } from '../environment.ts';
import type { Action } from '../permission/action.ts';
import type { ConversationPermissions, ConversationRule } from '../permission/conversation-permissions.ts';
import { decide, leavesSandbox } from '../permission/decide.ts';
import type { Decision } from '../permission/decide.ts';
import type { Mode } from '../permission/mode.ts';
import {
  optionsForOnce,
  permissionOptions,
  rejectionText,
  toChosenOption,
} from '../permission/permission-options.ts';
import { textContent } from '../tools/content.ts';
import type { PreparedCall, Preview } from '../tools/tool.ts';
import { approvePlan } from './approve-plan.ts';
import { protectedOf, toSubject } from './to-subject.ts';
import type { Turn } from './turn.ts';

/** Settles when it is decided whether the call may run. */
export async function permit(turn: Turn, toolCall: ToolCall, prepared: PreparedCall): Promise<Decision> {
  const { permissions } = turn.conversation;
  const { action } = prepared;
  const floor = await floorUnder(action, turn.workplace.environment);
  if (floor !== undefined) return { decision: 'deny', reason: floor };
  const protectedFiles = await protectedOf(turn, prepared);
  const ruling = permissions.isEmpty
    ? undefined
    : judge(await toSubject(turn, toolCall, prepared, protectedFiles), permissions);
  const decision = decide(modeFor(turn.conversation, action), action, ruling, protectedFiles.length > 0);
  if (decision !== 'ask') return decision;
  return action.kind === 'switch-mode'
    ? await approvePlan(turn, toolCall, action.plan)
    : await ask(turn, toolCall, prepared, { answersRule: ruling?.decision === 'ask', protectedFiles });
}

/** A sub-agent that explores reads as its parent would, and asks about as little. */
function modeFor({ mode, parent }: Conversation, action: Action): Mode {
  const isReading = action.kind === 'read' || (action.kind === 'mcp' && action.isReadOnly);
  return parent?.kind === 'explore' && isReading ? parent.conversation.mode : mode;
}

async function ask(
  turn: Turn,
  toolCall: ToolCall,
  prepared: PreparedCall,
  {
    answersRule,
    protectedFiles,
  }: { readonly answersRule: boolean; readonly protectedFiles: readonly ProtectedFile[] },
): Promise<Decision> {
  const { client, conversation } = turn;
  const { permissions } = conversation;
  // A call that cannot succeed fails here, before the user is asked about it.
  const preview = await prepared.preview?.();
  client.signal.throwIfAborted();
  const scopes = permissions.narrowest(await toSubject(turn, toolCall, prepared, protectedFiles));
  const isForOnce = leavesSandbox(prepared.action) || protectedFiles.length > 0;
  const options = isForOnce ? [...optionsForOnce] : permissionOptions(scopes);
  const outcome = await client.requestPermission(toQuestion(toolCall, preview, protectedFiles), options);
  client.signal.throwIfAborted();
  switch (toChosenOption(outcome, options)) {
    case 'allow_once':
      return { decision: 'allow' };
    case 'allow_always':
      permissions.remember(scopes, 'allow', { answersRule });
      return { decision: 'allow' };
    case 'reject_once':
      return { decision: 'deny', reason: rejectionText('The user rejected this call', outcome) };
    case 'reject_always':
      permissions.remember(scopes, 'deny', { answersRule });
      return {
        decision: 'deny',
        reason: rejectionText('The user rejected this call, and such calls for the whole session', outcome),
      };
    case 'no-answer':
      return { decision: 'deny', reason: 'The permission request received no valid response' };
  }
}

/** The call as it is asked about, with all that there is to know of it. */
function toQuestion(
  toolCall: ToolCall,
  { startsIn, ...preview }: Preview = {},
  protectedFiles: readonly ProtectedFile[],
): ToolCall {
  const notes = protectedFiles.map(({ paths, reason }) =>
    textContent(`${paths.join(', which is ')} is protected: ${reason}`),
  );
  const content = [...notes, ...(preview.content ?? [])];
  const { rawInput } = toolCall;
  const isPlaced = startsIn !== undefined && typeof rawInput === 'object' && rawInput !== null;
  return {
    ...toolCall,
    ...preview,
    ...(content.length > 0 && { content }),
    ...(isPlaced && { rawInput: { ...rawInput, cwd: startsIn } }),
  };
}

/** What is moved can be read elsewhere, and who edits a file finds out what is in it: a `deny` of reading holds for both. */
function judge(subject: Subject, permissions: ConversationPermissions): Ruling<ConversationRule> | undefined {
  const ruling = permissions.judge(subject);
  const { kind, tool, paths } = subject;
  const isReading = kind === 'move' || (kind === 'edit' && tool !== 'write');
  if (!isReading || ruling?.decision === 'deny') return ruling;
  const reading = permissions.judge({ kind: 'read', tool: 'read', paths });
  return reading?.decision === 'deny' ? reading : ruling;
}

/** Below every mode, and every answer of the user, there are commands that never run. */
async function floorUnder(action: Action, environment: Environment): Promise<string | undefined> {
  if (action.kind !== 'execute') return undefined;
  const reason = await environment.irreversibleReason(action.command);
  return reason === undefined ? undefined : `This command is never run: ${reason}`;
}
