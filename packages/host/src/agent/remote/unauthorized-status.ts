import { AcpError } from '@parley/acp';
import { HostError } from '../../host-error.ts';

/** The HTTP status of a server that rejected the credentials; undefined for other errors. */
export function unauthorizedStatus(error: unknown): number | undefined {
  if (error instanceof AcpError) return error.code === 'unauthorized' ? error.status : undefined;
  return error instanceof HostError ? error.httpStatus : undefined;
}
