import { readAuditLog, type StoredAuditEntry } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { auditFolder } from '../configuration/places.ts';
import { exitStatus } from '../exit-status.ts';
import { toPlainLine } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';
import { shortId } from './find-session.ts';
import { auditLine } from './text/audit-text.ts';

/** The flags of `parley sessions audit`. */
export interface TypedAuditFlags {
  readonly json?: boolean;
  readonly verify?: boolean;
}

/** `parley sessions audit`: prints who allowed what, and whether the audit log is unmodified. Returns the exit status. */
export async function auditSessions(
  id: string | undefined,
  { json = false, verify = false }: TypedAuditFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  const entries: StoredAuditEntry[] = [];
  const report = await readAuditLog(auditFolder(env), (entry) => {
    const isMeant = id === undefined || namesOf(entry).some((name) => name.startsWith(id));
    if (!verify && isMeant) entries.push(entry);
  });
  if (id !== undefined && !verify) checkOne(id, entries);
  const isIntact = report.breaks.length === 0;
  const writer = createWriter(stdout);
  if (json) {
    const { breaks, tornBytes, firstSeq, ends } = report;
    const chain = { intact: isIntact, entries: report.entries, firstSeq, end: ends, breaks, tornBytes };
    writer.write(`${JSON.stringify({ v: 1, ...(!verify && { entries }), chain }, undefined, 2)}\n`);
  } else {
    const style = createStyle(stdout.isTTY === true, env);
    for (const entry of entries) {
      if (writer.closed.aborted) break;
      writer.write(auditLine(entry, style));
      await writer.ready();
    }
  }
  await writer.flush();
  const say = verify && !json ? stdout : stderr;
  if (!isIntact || (verify && !json)) {
    for (const line of resultLines(report)) say.write(`${line}\n`);
  }
  return isIntact ? exitStatus.done : exitStatus.failed;
}

function namesOf({ session, agentSession }: StoredAuditEntry): readonly string[] {
  const names = [session, agentSession].filter((name) => typeof name === 'string');
  return typeof session === 'string' ? [...names, shortId(session)] : names;
}

function checkOne(id: string, entries: readonly StoredAuditEntry[]): void {
  const sessions = new Set(entries.map(({ session }) => session));
  if (sessions.size === 1) return;
  const name = toPlainLine(id);
  if (sessions.size === 0) throw new CliError('usage', `no decision of a session "${name}" is recorded`);
  const count = String(sessions.size);
  throw new CliError('usage', `"${name}" matches ${count} sessions; enter more characters`);
}

type Report = Awaited<ReturnType<typeof readAuditLog>>;

function resultLines({ entries, firstSeq = 1, breaks, tornBytes, ends }: Report): readonly string[] {
  const torn =
    tornBytes === 0
      ? []
      : [
          `The last line is incomplete (${String(tornBytes)} bytes): a process was terminated while it wrote it.`,
        ];
  if (breaks.length === 0) {
    const older = firstSeq > 1 ? `; entries before #${String(firstSeq)} were removed to make room` : '';
    const last = entries === 0 ? '' : ` The last entry has the hash ${ends.hash}.`;
    return [`The audit log is unmodified: ${String(entries)} entries${older}.${last}`, ...torn];
  }
  return [
    ...breaks.map(({ file, line, afterSeq, reason }) => {
      return `The audit log was modified: ${reasons[reason]} after #${String(afterSeq)}, in line ${String(line)} of ${file}.`;
    }),
    ...torn,
  ];
}

const reasons = {
  damaged: 'an entry was changed',
  changed: 'an entry was replaced',
  missing: 'entries are missing',
} as const;
