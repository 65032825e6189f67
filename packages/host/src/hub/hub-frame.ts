/** A message between the host and an agent, as it went over the wire. Secrets are redacted. */
export interface HubFrame {
  /** From 1 and without a gap, for each session. */
  readonly seq: number;
  /** In milliseconds since 1970, with fractions. */
  readonly time: number;
  /** `in`: from the agent. */
  readonly direction: 'in' | 'out';
  /** Absent when the frame held no message. */
  readonly message?: unknown;
  /** What was wrong with it. */
  readonly fault?: string;
}
