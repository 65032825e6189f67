import type { DecidedBy } from './decide.ts';

/** What the update of a tool call says when the user was not asked about it. */
export interface PermissionMeta {
  readonly _meta?: {
    readonly 'parley/permission': { readonly decision: 'allow' | 'deny' } & DecidedBy;
  };
}

/** Names what decided about a call in place of the user; empty when the user did, or nothing had to be decided. */
export function permissionMeta(decision: 'allow' | 'deny', by: DecidedBy | undefined): PermissionMeta {
  return by === undefined ? {} : { _meta: { 'parley/permission': { decision, ...by } } };
}
