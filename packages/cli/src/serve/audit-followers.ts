import type { AuditFollower, AuditLog, HostEvent } from '@parley/host';

/** Records the decisions of many sessions: each one's requests are remembered until they are decided. */
export function createFollowers(
  audit: AuditLog,
  client: string,
): (event: HostEvent, agent: string, session?: string) => void {
  const followers = new Map<string, AuditFollower>();
  return (event, agent, session = '') => {
    const name = JSON.stringify([agent, session]);
    const follow = followers.get(name) ?? audit.follow({ agent, client });
    followers.set(name, follow);
    follow(event, session === '' ? undefined : session);
    if (event.type === 'agent-end') followers.delete(name);
  };
}
