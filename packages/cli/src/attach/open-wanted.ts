import { RpcError, rpcCodes, valueAt } from '@parley/wire';
import { CliError, type CliErrorCode } from '../cli-error.ts';
import { fromHub } from '../hub/from-hub.ts';
import { toPlainText } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';
import type { AttachedSession } from './attached-session.ts';
import { onlySession, sessionByBeginning } from './choose-session.ts';
import type { AttachFlags, NewSessionFlags } from './flags.ts';

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
    throw toRefusal(error, begin);
  });
  const { sessionId, _meta } = fromHub<OpenedSession>(opened);
  for (const note of _meta?.['parley/notes'] ?? []) stderr.write(`parley: warning: ${toPlainText(note)}\n`);
  return sessionId;
}

interface OpenedSession {
  readonly sessionId: string;
  readonly _meta?: { readonly 'parley/notes'?: readonly string[] };
}

/** Why the hub did not open the session, with the exit status that `parley run` has for it; other errors as they are. */
function toRefusal(error: unknown, { agent = '' }: NewSessionFlags): unknown {
  if (!(error instanceof RpcError)) return error;
  const refuse = (code: CliErrorCode, message = error.message): CliError =>
    new CliError(code, message, { cause: error });
  // A worktree.
  const reason = valueAt(error.data, 'reason');
  if (reason === 'usage' || reason === 'refused' || reason === 'setup-failed') return refuse(reason);
  if (valueAt(error.data, 'code') === 'not-offered') return refuse('not-offered');
  if (error.code !== rpcCodes.invalidParams) return error;
  switch (valueAt(error.data, 'path')) {
    case 'cwd':
      return refuse('usage', `--cwd: ${error.message}`);
    case '_meta.parley/agent':
      return refuse('usage', `--agent: the hub has no agent ${JSON.stringify(agent)}`);
    case '_meta.parley/team':
      return refuse('usage', `--team: expected ${String(valueAt(error.data, 'expected'))}`);
    default:
      return error;
  }
}
