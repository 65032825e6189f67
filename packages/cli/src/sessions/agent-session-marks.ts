import { requestUnstable } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { exitStatus } from '../exit-status.ts';
import { toPlainLine } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';
import { requireAgent, requireOffered, resolveSession, type ListedSession } from './agent-sessions.ts';
import type { TypedAgentFlags } from './asks-agent.ts';
import { atAgent } from './at-agent.ts';

/** `parley sessions rename ID TITLE --agent NAME`: gives a session of the agent another title. */
export async function renameAgentSession(
  { id, title }: { readonly id: string; readonly title: string },
  typed: TypedAgentFlags,
  surroundings: Surroundings,
): Promise<number> {
  requireAgent('rename', typed);
  if (title.trim() === '') throw new CliError('usage', 'rename: expected a title');
  return atAgent(typed, surroundings, async (asked) => {
    const { connection, signal } = asked;
    requireOffered(connection, 'session/set_title');
    const { sessionId } = await resolveSession(id, asked);
    const stored = await requestUnstable(connection, 'session/set_title', { sessionId, title }, { signal });
    surroundings.stderr.write(`parley: ${toPlainLine(sessionId)} is now ${toPlainLine(stored.title)}\n`);
    return exitStatus.done;
  });
}

/** `parley sessions archive ID… --agent NAME`, and `unarchive`: hides sessions of the agent from its list, or shows them again. */
export async function archiveAgentSessions(
  { ids, change }: { readonly ids: readonly string[]; readonly change: 'archive' | 'unarchive' },
  typed: TypedAgentFlags,
  surroundings: Surroundings,
): Promise<number> {
  requireAgent(change, typed);
  return atAgent(typed, surroundings, async (asked) => {
    const { connection, signal } = asked;
    requireOffered(connection, 'session/archive');
    const wanted: ListedSession[] = [];
    for (const id of ids) wanted.push(await resolveSession(id, asked));
    for (const { sessionId } of wanted) {
      await requestUnstable(connection, `session/${change}`, { sessionId }, { signal });
      surroundings.stderr.write(`parley: ${change}d ${toPlainLine(sessionId)}\n`);
    }
    return exitStatus.done;
  });
}
