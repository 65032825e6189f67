import { ruleText } from '@parley/workspace/rule';
import type { ConversationPermissions, ConversationRule } from '../permission/conversation-permissions.ts';
import type { Command } from './command.ts';

/** `/permissions`: shows the rules that hold in the session, and revokes remembered answers. */
export const permissionsCommand: Command = {
  name: 'permissions',
  description: 'List the rules for tool calls, or revoke remembered answers',
  hint: '[revoke NUMBER|all]',
  run: (argument, { conversation: { permissions } }) => {
    if (argument === '') return list(permissions);
    const which = /^revoke\s+(\d{1,9}|all)$/u.exec(argument)?.[1];
    if (which === undefined) {
      return 'Expected `revoke NUMBER` or `revoke all`; nothing was done.';
    }
    if (which === 'all') return revokeAll(permissions);
    return permissions.revoke(which)
      ? `Answer ${which} was revoked.`
      : `No answer ${which}; nothing was done.\n\n${list(permissions)}`;
  },
};

function revokeAll(permissions: ConversationPermissions): string {
  const count = permissions.revokeAll();
  return count === 1 ? 'One answer was revoked.' : `${String(count)} answers were revoked.`;
}

function list(permissions: ConversationPermissions): string {
  const rules = permissions.list();
  if (rules.length === 0) return noRules;
  return rules.map((rule) => `- ${whose(rule)}: ${ruleText(rule)}`).join('\n');
}

const noRules = 'The agent was given no rules, and no answers are remembered: the mode decides.';

function whose(rule: ConversationRule): string {
  if (rule.origin === 'answer') return `Your answer ${rule.answer.id}`;
  return `From the ${rule.origin ?? 'user'}`;
}
