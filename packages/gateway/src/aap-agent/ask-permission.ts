import type { OpenCall, ToolPermissionMessage } from '@parley/aap';
import {
  Invalid,
  parsePermissionOption,
  type PermissionOption,
  type PromptContext,
  type ToolCall,
} from '@parley/acp';
import type { ServerSession } from './server-session.ts';

/** What the client decided. */
export type Permission = Omit<ToolPermissionMessage, 'role' | 'toolCallId'>;

/** A question to the client. */
export interface Question {
  readonly tool: string;
  readonly toolCall: ToolCall;
  /** The options of the agent; if it has none, Parley's own are used. */
  readonly offered: readonly PermissionOption[];
}

/** Asks the client for permission for a call, unless it has already allowed or rejected this tool for the session. */
export async function askPermission(
  session: ServerSession,
  { tool, toolCall, offered }: Question,
  context: PromptContext,
): Promise<Permission> {
  if (session.isTrusted(tool)) return { granted: true };
  const { outcome } = await context.client.request('session/request_permission', {
    sessionId: session.sessionId,
    toolCall,
    options: offered.length > 0 ? offered : ownOptions,
  });
  if (outcome.outcome !== 'selected') return { granted: false };
  const { optionId } = outcome;
  if (offered.length === 0) {
    if (optionId === always.optionId) session.trust(tool);
    return { granted: optionId !== reject.optionId };
  }
  const kind = offered.find((option) => option.optionId === optionId)?.kind;
  return { granted: kind === 'allow_once' || kind === 'allow_always', optionId };
}

const once: PermissionOption = { optionId: 'allow', name: 'Allow', kind: 'allow_once' };
const always: PermissionOption = {
  optionId: 'allow-always',
  name: 'Always allow this tool',
  kind: 'allow_always',
};
const reject: PermissionOption = { optionId: 'reject', name: 'Reject', kind: 'reject_once' };
const ownOptions: readonly PermissionOption[] = [once, always, reject];

/** The options of an ACP agent behind the server, if there is one. */
export function offeredOptions(call: OpenCall): readonly PermissionOption[] {
  const options = call._meta?.['options'];
  if (!Array.isArray(options)) return [];
  return options.flatMap((item: unknown) => {
    const option = parsePermissionOption(item);
    return option instanceof Invalid || option.kind === 'unknown' ? [] : [option];
  });
}
