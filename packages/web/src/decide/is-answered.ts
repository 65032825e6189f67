import { HubError } from '../hub/hub-error.ts';

/** The code of ACP for what is not there, or is not there any more. */
const notFound = -32_002;

/** Whether an answer was refused because the question waits no longer: somebody else was first. */
export function isAnswered(error: unknown): boolean {
  return error instanceof HubError && error.rpcCode === notFound;
}
