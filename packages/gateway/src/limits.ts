import { defaultSessionLimits, type SessionLimits } from '@parley/host';

/** Limits of the gateway. */
export interface Limits {
  /** Simultaneous connections; more are closed immediately. @default 4096 */
  readonly connections: number;
  /** Simultaneous requests on one HTTP/2 connection. @default 1024 */
  readonly streamsPerConnection: number;
  /** Size of the headers of a request. @default 32 KiB */
  readonly headerBytes: number;
  /** How long the headers of a request, or a TLS handshake, may take to arrive. @default 10000 */
  readonly headersMs: number;
  /** How long a complete request may take to arrive. @default 120000 */
  readonly receiveMs: number;
  /** How long a connection may stay open without a request. @default 65000 */
  readonly idleConnectionMs: number;
  /** Requests per minute with one token, with bursts of the same size. @default 6000 */
  readonly requestsPerMinute: number;
  /** Invalid tokens per minute from one address. Valid tokens are not counted. @default 60 */
  readonly failedTokensPerMinute: number;
  /** Tokens and addresses whose request rate is remembered. @default 10000 */
  readonly ratedNames: number;
  /** Signed-in browsers. The oldest is signed out first. @default 1000 */
  readonly browserSessions: number;
  /** How long a browser stays signed in without a request. @default 2592000000 (30 days) */
  readonly browserSessionMs: number;
  /** Unused sign-in links of one token. The oldest expires first. @default 16 */
  readonly signInLinks: number;
  /** How long a sign-in link is valid. @default 600000 */
  readonly signInLinkMs: number;
  /** Interval of checks of the tokens of open WebSockets and streams. @default 250 */
  readonly passCheckMs: number;
}

/** The default limits. */
export const defaultLimits: Limits = {
  connections: 4096,
  streamsPerConnection: 1024,
  headerBytes: 32 * 1024,
  headersMs: 10_000,
  receiveMs: 120_000,
  idleConnectionMs: 65_000,
  requestsPerMinute: 6000,
  failedTokensPerMinute: 60,
  ratedNames: 10_000,
  browserSessions: 1000,
  browserSessionMs: 30 * 24 * 60 * 60_000,
  signInLinks: 16,
  signInLinkMs: 10 * 60_000,
  passCheckMs: 250,
};

/** Limits of the hub. */
export interface HubLimits extends SessionLimits {
  /** Simultaneous clients; more are rejected. @default 256 */
  readonly clients: number;
  /** Sessions that one client watches at the same time; more are rejected. @default 64 */
  readonly watches: number;
  /** Bytes of events that a client has not read before it is disconnected. @default 64 MiB */
  readonly unreadBytes: number;
  /** Size of a client's message. @default 32 MiB */
  readonly messageBytes: number;
  /** Agents that are probed at the same time. @default 4 */
  readonly probes: number;
  /** Duration of a probe of an agent. @default 30000 */
  readonly probeMs: number;
  /**
   * How long `initialize` of an ACP client waits for the probe of its agent; 0 does not wait, and does not start a
   * probe. @default 5000
   */
  readonly offerMs: number;
  /** How long a user may take to sign in to an agent outside of a session. @default 600000 */
  readonly signInMs: number;
  /** How long the user of a visible page counts as looking at it without using it. @default 120000 */
  readonly lookMs: number;
}

/** The default limits of the hub. */
export const defaultHubLimits: HubLimits = {
  ...defaultSessionLimits,
  clients: 256,
  watches: 64,
  unreadBytes: 64 * 1024 * 1024,
  messageBytes: 32 * 1024 * 1024,
  probes: 4,
  probeMs: 30_000,
  offerMs: 5000,
  signInMs: 600_000,
  lookMs: 120_000,
};

/** Bounds of notifications to devices. */
export interface PushLimits {
  /** Devices of one token that are notified. The oldest goes first. @default 16 */
  readonly devices: number;
  /** Messages that are being sent to push services at once; more are dropped. @default 64 */
  readonly messages: number;
  /** How long a push service may take to answer. @default 10000 */
  readonly sendMs: number;
  /** How often a message is sent to a push service that is busy or not reached. @default 3 */
  readonly attempts: number;
  /** The pause before the second attempt, unless the push service names one; the next is five times as long. @default 2000 */
  readonly retryMs: number;
  /** The longest pause, also of one that the push service names. @default 60000 */
  readonly longestRetryMs: number;
  /** How long a push service holds a message for a device that is off. @default 43200000 (12 hours) */
  readonly storedMs: number;
}

/** The bounds of notifications unless an option says otherwise. */
export const defaultPushLimits: PushLimits = {
  devices: 16,
  messages: 64,
  sendMs: 10_000,
  attempts: 3,
  retryMs: 2000,
  longestRetryMs: 60_000,
  storedMs: 12 * 60 * 60_000,
};
