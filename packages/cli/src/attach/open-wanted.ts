import { RpcError } from '@parley/wire';
import { CliError } from '../cli-error.ts';
import { fromHub } from '../hub/from-hub.ts';
import { toPlainText } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';
import type { AttachedSession } from './attached-session.ts';
import { onlySession, sessionByBeginning } from './choose-session.ts';
import type { AttachFlags } from './flags.ts';

/** Begins or finds the session that the flags ask for. Gives its id on the hub. What a new one asks before it has an id is not for here. */
export async function openWanted(
  { client }: AttachedSession,
  { session, begin }: AttachFlags,
  { stderr }: Pick<Surroundings, 'stderr'>,
): Promise<string> {
  if (begin === undefined) {
    const { sessions } = client;
    return (session === undefined ? onlySession(sessions) : sessionByBeginning(session, sessions)).key;
  }
  if (client.isObserver) throw new CliError('hub-refused', '--new: this token is read-only');
  const { cwd, agent, mode, settings, worktree, sandbox, team } = begin;
  const params = {
    cwd,
    mcpServers: [],
    _meta: {
      ...(worktree !== undefined && { 'parley/worktree': worktree }),
      ...(sandbox !== undefined && { 'parley/sandbox': sandbox }),
      ...(team !== undefined && { 'parley/team': team }),
      ...(agent !== undefined && { 'parley/agent': agent }),
      ...(mode !== undefined && { 'parley/mode': mode }),
      ...(settings.length > 0 && {
        'parley/options': Object.fromEntries(settings.map(({ id, value }) => [id, value])),
      }),
      'parley/unattended': true,
    },
  };
  const opened = await client.request('session/new', params).catch((error: unknown) => {
    throw toRefusal(error);
  });
  const { sessionId, _meta } = fromHub<OpenedSession>(opened);
  for (const note of _meta?.['parley/notes'] ?? []) stderr.write(`parley: warning: ${toPlainText(note)}\n`);
  return sessionId;
}

interface OpenedSession {
  readonly sessionId: string;
  readonly _meta?: { readonly 'parley/notes'?: readonly string[] };
}

/** Why the hub did not open a worktree, with the exit status that a worktree here would have had. */
function toRefusal(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  const { data } = error;
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? data.reason : undefined;
  return reason === 'usage' || reason === 'refused' || reason === 'setup-failed'
    ? new CliError(reason, error.message, { cause: error })
    : error;
}
