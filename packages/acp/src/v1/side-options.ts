import type { ConnectionOptions, Diagnostic } from '@parley/wire';
import type { AcpDiagnostic } from '../diagnostic.ts';

/** How a side speaks over one transport. */
export interface SideConnectOptions extends Pick<
  ConnectionOptions,
  'observe' | 'answerFaults' | 'requestTimeoutMs' | 'idleTimeoutMs' | 'limits' | 'clock'
> {
  /** Hears of what was odd and survived. */
  readonly onDiagnostic?: (diagnostic: Diagnostic | AcpDiagnostic) => void;
}
