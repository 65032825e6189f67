/** How programs in the sandbox used a host. */
export interface UsedHost {
  /** A name in lower case, or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  /** Connections that were blocked. */
  readonly blocked: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/**
 * The hosts that programs in the sandbox used since the last event of this type: at the end of each turn, and of the
 * session.
 */
export interface NetworkEvent {
  readonly type: 'network';
  readonly sessionId: string;
  readonly hosts: readonly UsedHost[];
  /** Number of further hosts, which are not listed. */
  readonly moreHosts: number;
}
