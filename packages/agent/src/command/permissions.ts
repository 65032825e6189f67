import { ruleText } from '@parley/workspace/rule';
import type { SessionPermissions, SessionRule } from '../permission/session-permissions.ts';
import type { Command } from './command.ts';

/** `/permissions`: shows the rules that hold in the session, and revokes remembered answers. */
export const permissionsCommand: Command = {
  name: 'permissions',
  description: 'Show the rules that decide about tool calls, or take back what you answered for good',
  hint: '[revoke NUMBER|all]',
  run: (argument, { session: { permissions } }) => {
    if (argument === '') return list(permissions);
    const which = /^revoke\s+(\d{1,9}|all)$/u.exec(argument)?.[1];
    if (which === undefined) {
      return 'What may follow is `revoke NUMBER` or `revoke all`; nothing was done.';
    }
    if (which === 'all') return revokeAll(permissions);
    return permissions.revoke(which)
      ? `Answer ${which} is taken back.`
      : `There is no answer ${which}; nothing was done.\n\n${list(permissions)}`;
  },
};

function revokeAll(permissions: SessionPermissions): string {
  const count = permissions.revokeAll();
  return count === 1 ? 'One answer is taken back.' : `${String(count)} answers are taken back.`;
}

function list(permissions: SessionPermissions): string {
  const rules = permissions.list();
  if (rules.length === 0) return noRules;
  return rules.map((rule) => `- ${whose(rule)}: ${ruleText(rule)}`).join('\n');
}

const noRules = 'The agent was given no rules, and no answers are remembered: the mode decides.';

function whose(rule: SessionRule): string {
  if (rule.origin === 'answer') return `Your answer ${rule.answer.id}`;
  return `From the ${rule.origin ?? 'user'}`;
}
