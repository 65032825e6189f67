/** Bounds of a server; each is listed in LIMITS.md. */
export interface AapServerLimits {
  /** Size of a request's body. @default 16 MiB */
  readonly bodyBytes: number;
  /** How deep the JSON of a request is nested. @default 64 */
  readonly jsonDepth: number;
  /** How deep is nested what an agent emits or stores; its run is ended with anything deeper. @default 128 */
  readonly eventDepth: number;
  /** Messages a session is created with, and answers of one request. @default 10_000 */
  readonly messages: number;
  /** Tools of an application. @default 256 */
  readonly clientTools: number;
  /** Characters of an `Idempotency-Key`. @default 255 */
  readonly keyChars: number;
  /** Keys of created sessions that are remembered; older ones count as new. @default 10_000 */
  readonly createdKeys: number;
  /** Sessions on one page of a list. @default 50 */
  readonly listedSessions: number;
  /** The same, where a request asks for more. @default 200 */
  readonly maxListedSessions: number;
  /** Sessions in memory; those used least recently go first, and are read again on use. One with a run stays. @default 1000 */
  readonly loadedSessions: number;
  /** Characters of a turn's latest events in memory; who reads more slowly gets them from the store. @default 256 Ki */
  readonly recentChars: number;
  /** Characters of events that one write to a stream brings together. @default 64 Ki */
  readonly writeChars: number;
  /** Characters of events that wait for the store, or for the next turn, before the agent is held up. @default 64 Ki */
  readonly waitingChars: number;
  /** The same, for an agent that does not wait: its run is then ended. @default 16 Mi */
  readonly maxWaitingChars: number;
  /** How long events may be gathered under load, to be kept and sent together. @default 100 */
  readonly gatherMs: number;
  /** How long calls that wait for the application are collected, before the turn stops. @default 25 */
  readonly quietMs: number;
  /** The same while calls were announced that the agent may still ask about. @default 250 */
  readonly announcedMs: number;
  /** How long calls wait for the application; then they are denied. @default 86_400_000 */
  readonly answerMs: number;
  /** How long a turn may take. @default 86_400_000 */
  readonly turnMs: number;
  /** How long an agent may take to end a run that is not wanted any more. @default 5000 */
  readonly stopMs: number;
  /** Silence on a stream, until a comment keeps it alive. @default 15_000 */
  readonly heartbeatMs: number;
}

/** The bounds unless an option says otherwise. */
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
