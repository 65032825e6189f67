import { readAuditLog } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { auditFolder, type Variables } from '../configuration/places.ts';
import { toFileReason } from '../input-file.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** How long the audit log is checked. */
const mostMs = 2000;

/** Whether the audit log of permission decisions is unmodified. */
export async function examineAudit(
  env: Variables,
  { now = () => performance.now() }: { readonly now?: () => number } = {},
): Promise<Finding> {
  const until = now() + mostMs;
  const folder = auditFolder(env);
  try {
    const { entries, breaks } = await readAuditLog(folder, () => {
      if (now() > until) throw new TimeOver('the audit log is long');
    });
    const [first] = breaks;
    if (first === undefined) {
      return ok(
        'audit',
        entries === 0 ? 'no decision is recorded' : `${String(entries)} decisions, unmodified`,
      );
    }
    return problem(
      'audit',
      `the audit log was modified after #${String(first.afterSeq)} in ${first.file}`,
      `run "parley sessions audit --verify" to list every modification; then move ${folder} away to start a new audit log`,
    );
  } catch (error) {
    if (error instanceof TimeOver) {
      return note('audit', 'too long to check here', 'run "parley sessions audit --verify"');
    }
    const reason = error instanceof CliError ? error.message : toFileReason(error);
    return problem(
      'audit',
      `the audit log in ${folder} cannot be read: ${reason}`,
      'make the folder readable',
    );
  }
}

class TimeOver extends Error {
  override readonly name = 'TimeOver';
}
