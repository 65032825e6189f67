import type { AuditFollower, AuditLog, HostEvent } from '@parley/host';

/** Records the decisions of many sessions: each one's requests are remembered until they are decided. */
export function createFollowers(
  audit: AuditLog,
  of: { readonly client: string; readonly cwd?: string },
): (event: HostEvent, agent: string, session?: string) => void {
  const followers = new Map<string, AuditFollower>();
  return (event, agent, session = '') => {
    // Most events are updates, and none is a decision.
    if (event.type === 'update') return;
    const name = JSON.stringify([agent, session]);
    const follow = followers.get(name) ?? audit.follow({ agent, ...of });
    followers.set(name, follow);
    follow(event, session === '' ? undefined : session);
    if (event.type === 'agent-end') followers.delete(name);
  };
}
