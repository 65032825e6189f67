import { readSession, type LoggedEvent } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { exitStatus } from '../exit-status.ts';
import { createStyle } from '../output/style.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';
import { exportSession } from './export.ts';
import { findSession, storeOf } from './find-session.ts';
import { reportUnreadable, toSummary } from './session-summary.ts';
import { conversationText } from './text/conversation-text.ts';

/** The flags of `parley sessions show`. */
export interface TypedShowFlags {
  readonly json?: boolean;
  readonly raw?: boolean;
}

/** `parley sessions show`: a stored session as text or JSON, or its events. Returns the exit status. */
export async function showSession(
  id: string,
  { json = false, raw = false }: TypedShowFlags,
  surroundings: Surroundings,
): Promise<number> {
  if (json && raw) throw new CliError('usage', '--json and --raw cannot be combined');
  if (json) return exportSession(id, { format: 'json' }, surroundings);
  const { stdout, env } = surroundings;
  const store = storeOf(surroundings);
  const head = await findSession(id, surroundings);
  const writer = createWriter(stdout);
  if (raw) {
    const write = (event: LoggedEvent): Promise<void> | undefined => {
      writer.closed.throwIfAborted();
      writer.write(`${JSON.stringify(event)}\n`);
      return writer.ready();
    };
    await store.read(head.key, write).catch((error: unknown) => {
      if (!writer.closed.aborted) throw error;
    });
  } else {
    const session = await readSession(store, head);
    const style = createStyle(stdout.isTTY === true, env);
    for (const piece of conversationText(toSummary(head, session), session.state, { style })) {
      if (writer.closed.aborted) break;
      writer.write(piece);
      await writer.ready();
    }
    if (session.failure !== undefined) {
      await writer.flush();
      reportUnreadable(head, session.failure, surroundings);
      return exitStatus.failed;
    }
  }
  await writer.flush();
  return exitStatus.done;
}
