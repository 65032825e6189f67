import type { SessionPermissions, SessionRule } from '../permission/session-permissions.ts';
import type { Command } from './command.ts';

/** `/permissions`: shows the rules that hold in the session, and takes lasting answers back. */
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
    return permissions.revoke(Number(which))
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
  return rules.map((rule) => `- ${whose(rule)}: ${permissions.textOf(rule)}`).join('\n');
}

const noRules = 'The agent was given no rules, and you gave no lasting answers: the mode decides.';

function whose({ origin, number }: SessionRule): string {
  switch (origin) {
    case 'user':
    case 'project':
      return `From the ${origin}`;
    case 'session':
      return `Your answer ${String(number)}`;
  }
}
