/** A message between the host and an agent, with secrets redacted. */
export interface HubFrame {
  /** The number, from 1 and without gaps for each session. */
  readonly seq: number;
  /** In milliseconds since 1970, with fractions. */
  readonly time: number;
  /** `in`: from the agent. */
  readonly direction: 'in' | 'out';
  /** Absent if the frame contained no message. */
  readonly message?: unknown;
  /** Why the frame could not be read. */
  readonly fault?: string;
}
