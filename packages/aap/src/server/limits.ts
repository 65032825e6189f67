/** Limits of a server. */
export interface AapServerLimits {
  /** Size of a request body. @default 16 MiB */
  readonly bodyBytes: number;
  /** Nesting depth of the JSON of a request. @default 64 */
  readonly jsonDepth: number;
  /** Nesting depth of values that an agent emits or stores; deeper values end its run. @default 128 */
  readonly eventDepth: number;
  /** Messages in a request to create a session, and answers in one request. @default 10_000 */
  readonly messages: number;
  /** Tools of an application. @default 256 */
  readonly clientTools: number;
  /** Characters of an `Idempotency-Key`. @default 255 */
  readonly keyChars: number;
  /** Remembered keys of created sessions; older keys are treated as new. @default 10_000 */
  readonly createdKeys: number;
  /** Sessions on one page of a list. @default 50 */
  readonly listedSessions: number;
  /** Sessions on one page of a list if the request asks for more. @default 200 */
  readonly maxListedSessions: number;
  /**
   * Sessions in memory. Those used least recently are unloaded, and loaded again on use, unless they have a run.
   * @default 1000
   */
  readonly loadedSessions: number;
  /** Characters of a turn's latest events in memory; slower readers read from the store. @default 256 Ki */
  readonly recentChars: number;
  /** Characters of events that are combined into one write to a stream. @default 64 Ki */
  readonly writeChars: number;
  /**
   * Characters of events that wait for the store, or for the next turn, before the agent has to wait. @default 64 Ki
   */
  readonly waitingChars: number;
  /** The same for an agent that does not wait: its run is then ended. @default 16 Mi */
  readonly maxWaitingChars: number;
  /** How long events are batched under load before they are stored and sent. @default 100 */
  readonly gatherMs: number;
  /** How long calls that wait for the application are collected before the turn stops. @default 25 */
  readonly quietMs: number;
  /** The same while announced calls may still ask for permission. @default 250 */
  readonly announcedMs: number;
  /** How long calls wait for the application before they are denied. @default 86_400_000 */
  readonly answerMs: number;
  /** Duration of a turn. @default 86_400_000 */
  readonly turnMs: number;
  /** How long an agent may take to end a cancelled run. @default 5000 */
  readonly stopMs: number;
  /** Interval of comments on a quiet stream. @default 15_000 */
  readonly heartbeatMs: number;
}

/** The default limits. */
export const defaultLimits: AapServerLimits = {
  bodyBytes: 16 * 1024 * 1024,
  jsonDepth: 64,
  eventDepth: 128,
  messages: 10_000,
  clientTools: 256,
  keyChars: 255,
  createdKeys: 10_000,
  listedSessions: 50,
  maxListedSessions: 200,
  loadedSessions: 1000,
  recentChars: 256 * 1024,
  writeChars: 64 * 1024,
  waitingChars: 64 * 1024,
  maxWaitingChars: 16 * 1024 * 1024,
  gatherMs: 100,
  quietMs: 25,
  announcedMs: 250,
  answerMs: 86_400_000,
  turnMs: 86_400_000,
  stopMs: 5000,
  heartbeatMs: 15_000,
};
