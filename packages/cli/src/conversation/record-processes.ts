import { keepProcessRecord } from '@parley/workspace';
import { processesFolder, type Variables } from '../configuration/places.ts';
import { toFileReason } from '../input-file.ts';

/** What an earlier command left behind is ended, and what this one starts is written down for the next. */
export async function recordProcesses(
  env: Variables,
  warn: (code: string, message: string) => void,
): Promise<void> {
  try {
    const count = await keepProcessRecord(processesFolder(env));
    if (count > 0) warn('processes', `ended processes that an earlier parley left running: ${String(count)}`);
  } catch (error) {
    warn('processes', `cannot record the started processes: ${toFileReason(error)}`);
  }
}
