import { CliError } from '../cli-error.ts';
import { fromHub } from '../hub/from-hub.ts';
import type { AttachedSession } from './attached-session.ts';
import { onlySession, sessionByBeginning } from './choose-session.ts';
import type { AttachFlags } from './flags.ts';

/** Begins or finds the session that the flags ask for. Gives its id on the hub. What a new one asks before it has an id is not for here. */
export async function openWanted(
  { client }: AttachedSession,
  { session, begin }: AttachFlags,
): Promise<string> {
  if (begin === undefined) {
    const { sessions } = client;
    return (session === undefined ? onlySession(sessions) : sessionByBeginning(session, sessions)).key;
  }
  if (client.isObserver) throw new CliError('hub-refused', '--new: this token is read-only');
  const { cwd, agent, mode, settings } = begin;
  const opened = await client.request('session/new', {
    cwd,
    mcpServers: [],
    _meta: {
      ...(agent !== undefined && { 'parley/agent': agent }),
      ...(mode !== undefined && { 'parley/mode': mode }),
      ...(settings.length > 0 && {
        'parley/options': Object.fromEntries(settings.map(({ id, value }) => [id, value])),
      }),
      'parley/unattended': true,
    },
  });
  return fromHub<{ readonly sessionId: string }>(opened).sessionId;
}
