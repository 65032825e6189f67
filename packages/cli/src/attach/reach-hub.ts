import type { Ending } from '../conversation/ending.ts';
import { findHub } from '../hub/find-hub.ts';
import { toPlainText } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';
import { AttachedSession, type AttachedListener } from './attached-session.ts';
import type { AttachFlags } from './flags.ts';

/** Reaches the hub that the flags mean. */
export function reachHub(
  flags: AttachFlags,
  { env, stderr }: Surroundings,
  ending: Ending,
  answers: boolean,
  listener: AttachedListener,
): Promise<AttachedSession> {
  const warned = new Set<string>();
  const warn = (message: string): void => {
    if (warned.has(message)) return;
    warned.add(message);
    stderr.write(`parley: ${toPlainText(message)}\n`);
  };
  const find = (): ReturnType<typeof findHub> => findHub(flags.hub, { env, warn });
  return AttachedSession.open({ find, answers, signal: ending.begun }, listener);
}
