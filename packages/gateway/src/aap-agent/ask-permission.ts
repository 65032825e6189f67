import type { OpenCall, ReceivedAgentInfo, ToolPermissionMessage } from '@parley/aap';
import { Invalid, parsePermissionOption, type PermissionOption, type PromptContext } from '@parley/acp';
import type { ProxiedSession } from './proxied-session.ts';
import { toCall } from './session-updates.ts';

/** What the client decided. */
export type Permission = Omit<ToolPermissionMessage, 'role' | 'toolCallId'>;

/** Asks the client about a call, unless it has said before that it need not be asked about that tool. */
export async function askPermission(
  session: ProxiedSession,
  call: OpenCall,
  { info, context }: { readonly info: ReceivedAgentInfo; readonly context: PromptContext },
): Promise<Permission> {
  const offered = offeredOptions(call);
  if (session.isTrusted(call.name)) return { granted: true };
  const { outcome } = await context.client.request('session/request_permission', {
    sessionId: session.sessionId,
    toolCall: toCall(call, info),
    options: offered.length > 0 ? offered : ownOptions,
  });
  if (outcome.outcome !== 'selected') return { granted: false };
  const { optionId } = outcome;
  if (offered.length === 0) {
    if (optionId === always.optionId) session.trust(call.name);
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

/** What an agent of ACP behind the server offers, where there is one. */
function offeredOptions(call: OpenCall): readonly PermissionOption[] {
  const options = call._meta?.['options'];
  if (!Array.isArray(options)) return [];
  return options.flatMap((item: unknown) => {
    const option = parsePermissionOption(item);
    return option instanceof Invalid || option.kind === 'unknown' ? [] : [option];
  });
}
