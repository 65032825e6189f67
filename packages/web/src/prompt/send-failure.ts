import { AcpError, acpCodes } from '@parley/acp/unstable';
import { RpcError, WireError } from '@parley/wire';

/** Why a prompt was not sent, as far as it makes a difference to the person. */
export type FailureKind = 'sign-in' | 'too-large' | 'lost' | 'other';

/** What an error that came of sending means. */
export function failureKind(error: unknown): FailureKind {
  if (error instanceof RpcError) return error.code === acpCodes.authRequired ? 'sign-in' : 'other';
  if (error instanceof WireError) {
    if (error.code === 'too-large') return 'too-large';
    return error.code === 'closed' ? 'lost' : 'other';
  }
  return error instanceof AcpError && error.code === 'unauthorized' ? 'sign-in' : 'other';
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
