import type { ConnectionOptions, Diagnostic } from '@parley/wire';
import type { AcpDiagnostic } from '../diagnostic.ts';

/** Options of a connection of a side. */
export interface SideConnectOptions extends Pick<
  ConnectionOptions,
  'observe' | 'answerFaults' | 'echoInvalidIds' | 'requestTimeoutMs' | 'idleTimeoutMs' | 'limits' | 'clock'
> {
  /** Receives irregularities that did not end the connection. */
  readonly onDiagnostic?: (diagnostic: Diagnostic | AcpDiagnostic) => void;
}
