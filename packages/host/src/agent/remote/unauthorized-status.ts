import { AcpError } from '@parley/acp';
import { HostError } from '../../host-error.ts';

/** The status of a server that wants other credentials, where that is why it cannot be reached. */
export function unauthorizedStatus(error: unknown): number | undefined {
  if (error instanceof AcpError) return error.code === 'unauthorized' ? error.status : undefined;
  return error instanceof HostError ? error.httpStatus : undefined;
}
