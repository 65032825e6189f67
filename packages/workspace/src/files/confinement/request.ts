import { type WorkspaceError, type WorkspaceErrorCode, refusal } from '../../error.ts';
import type { Roots } from './roots.ts';

/** A requested file operation and its path. */
export interface FileRequest {
  readonly roots: Roots;
  /** What is tried, for messages. */
  readonly action: string;
  /** The path as the caller gave it. */
  readonly given: string;
  /** Why it cannot be done. */
  refuse(code: WorkspaceErrorCode, reason: string): WorkspaceError;
}

/** Makes a request. */
export function createRequest(roots: Roots, action: string, given: string): FileRequest {
  return { roots, action, given, refuse: (code, reason) => refusal(action, given, code, reason) };
}
