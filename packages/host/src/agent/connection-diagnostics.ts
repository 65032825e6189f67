import type { AcpDiagnostic } from '@parley/acp';
import type { Diagnostic } from '@parley/wire';
import type { DiagnosticCode, DiagnosticEvent } from '../event/diagnostic-event.ts';

/** The first so many of a sort are reported one by one, later ones at each power of ten. */
const reportedOneByOne = 20;

/** Unknown sessions that are reported on one connection, each once by its id; further ones only at powers of ten. */
const maxNamedSessions = 256;

/** Characters of a session id that is remembered as reported; longer ones count without being named. */
const maxNamedIdLength = 256;

/** Counts irregularities on a connection, and limits how often each is reported. */
export function createConnectionDiagnostics(
  report: (level: DiagnosticEvent['level'], code: DiagnosticCode, message: string) => void,
): (diagnostic: Diagnostic | AcpDiagnostic) => void {
  const counts = new Map<DiagnosticCode, number>();
  const named = new Set<string>();
  /** Whether to report an unknown session; undefined for everything else, and for more than are named. */
  const isNew = (diagnostic: Diagnostic | AcpDiagnostic): boolean | undefined => {
    if (diagnostic.code !== 'unknown-session' || diagnostic.sessionId === undefined) return undefined;
    const { sessionId } = diagnostic;
    if (named.has(sessionId)) return false;
    if (named.size === maxNamedSessions || sessionId.length > maxNamedIdLength) return undefined;
    named.add(sessionId);
    return true;
  };
  return (diagnostic) => {
    const code = codeOf(diagnostic.code);
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    const isWanted = isNew(diagnostic) ?? (count <= reportedOneByOne || Number.isInteger(Math.log10(count)));
    if (!isWanted) return;
    const times = count === 1 ? '' : ` (${count} so far)`;
    report(levelOf(diagnostic.code), code, `${diagnostic.message}${sampleOf(diagnostic)}${times}`);
  };
}

function codeOf(code: (Diagnostic | AcpDiagnostic)['code']): DiagnosticCode {
  switch (code) {
    case 'malformed':
      return 'stdout-noise';
    case 'encoding':
      return 'invalid-utf8';
    case 'too-large':
      return 'oversized-line';
    case 'truncated':
      return 'truncated-line';
    case 'invalid-message':
    case 'duplicate-id':
      return 'invalid-message';
    case 'unknown-answer':
    case 'late-answer':
    case 'uncorrelated-error':
      return 'unexpected-answer';
    case 'handler-failed':
    case 'not-serializable':
      return 'handler-failed';
    case 'overloaded':
    case 'dropped':
      return 'limit-reached';
    case 'invalid-params':
    case 'not-initialized':
    case 'unknown-notification':
    case 'invalid-announcement':
      return 'ignored-notification';
    case 'unknown-session':
    case 'unknown-variant':
    case 'late-update':
      return code;
  }
}

function levelOf(code: (Diagnostic | AcpDiagnostic)['code']): DiagnosticEvent['level'] {
  if (code === 'unknown-notification' || code === 'unknown-variant') return 'info';
  return code === 'handler-failed' || code === 'not-serializable' ? 'error' : 'warning';
}

/**
 * The first characters of a diagnostic. Unexpected output is usually a misplaced log line, whose start shows its
 * origin.
 */
function sampleOf(diagnostic: Diagnostic | AcpDiagnostic): string {
  if (diagnostic.code !== 'malformed' || diagnostic.head === undefined) return '';
  const { head } = diagnostic;
  return `: ${JSON.stringify(head.length > sampleLength ? `${head.slice(0, sampleLength)}…` : head)}`;
}

/** Characters of an invalid line in a diagnostic. */
const sampleLength = 80;
