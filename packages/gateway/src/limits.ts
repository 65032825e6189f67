import { defaultSessionLimits, type SessionLimits } from '@parley/host';

/** The bounds of the gateway. Each has its line in LIMITS.md. */
export interface Limits {
  /** Connections at once; more are closed as they come. @default 4096 */
  readonly connections: number;
  /** Requests at once on one connection of HTTP/2. @default 1024 */
  readonly streamsPerConnection: number;
  /** Size of the head of a request. @default 32 KiB */
  readonly headerBytes: number;
  /** How long the head of a request, or a TLS handshake, may take to arrive. @default 10000 */
  readonly headersMs: number;
  /** How long a request may take to arrive as a whole. @default 120000 */
  readonly receiveMs: number;
  /** How long a connection may stay open without a request. @default 65000 */
  readonly idleConnectionMs: number;
  /** Requests a minute with one token, evenly, after a burst of as many. @default 6000 */
  readonly requestsPerMinute: number;
  /** Wrong tokens a minute from one address. Right ones are not counted. @default 60 */
  readonly failedTokensPerMinute: number;
  /** Tokens and addresses whose rates are remembered. @default 10000 */
  readonly ratedNames: number;
  /** Browsers that are signed in. The oldest goes first. @default 1000 */
  readonly browserSessions: number;
  /** How long a browser that is signed in may stay away. @default 2592000000 (30 days) */
  readonly browserSessionMs: number;
  /** Sign-in links that have not been opened yet, made with one token. The oldest goes first. @default 16 */
  readonly signInLinks: number;
  /** How long such a link may wait. @default 600000 */
  readonly signInLinkMs: number;
  /** How often the tokens of open WebSockets and streams are checked. @default 250 */
  readonly passCheckMs: number;
}

/** The bounds unless an option says otherwise. */
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

/** The bounds of the hub. Each has its line in LIMITS.md. */
export interface HubLimits extends SessionLimits {
  /** Clients at once; more are refused. @default 256 */
  readonly clients: number;
  /** Sessions that one client watches at once; more are refused. @default 64 */
  readonly watches: number;
  /** Bytes of events that a client has not read; with more it is disconnected. @default 64 MiB */
  readonly unreadBytes: number;
  /** The longest message of a client. @default 32 MiB */
  readonly messageBytes: number;
  /** Agents that are probed at once; more wait. @default 4 */
  readonly probes: number;
  /** How long a look at what an agent offers may take. @default 30000 */
  readonly probeMs: number;
  /** How long a user may take to sign in to an agent outside of a session. @default 600000 */
  readonly signInMs: number;
}

/** The bounds of the hub unless an option says otherwise. */
export const defaultHubLimits: HubLimits = {
  ...defaultSessionLimits,
  clients: 256,
  watches: 64,
  unreadBytes: 64 * 1024 * 1024,
  messageBytes: 32 * 1024 * 1024,
  probes: 4,
  probeMs: 30_000,
  signInMs: 600_000,
};
