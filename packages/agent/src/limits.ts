/** Limits of the agent. */
export interface AgentLimits {
  /** Model responses with tool calls in one turn; one response without calls may follow. @default 100 */
  readonly maxSteps: number;
  /** Sub-agents of a session that work at the same time; further ones wait. @default 4 */
  readonly subagents: number;
  /** Sub-agents that a session starts while it is open; further ones are refused. @default 256 */
  readonly subagentTotal: number;
  /** Model responses with tool calls of one sub-agent; one response without calls may follow. @default 50 */
  readonly subagentSteps: number;
  /** Characters of a sub-agent's result that its parent reads; of more, beginning and end. @default 40_000 */
  readonly subagentResultChars: number;
  /** Repetitions of a call with the same arguments in a row that end the turn. @default 3 */
  readonly maxIdenticalCalls: number;
  /** Repetitions of the same two to four calls with the same results that end the turn. @default 5 */
  readonly maxIdenticalRounds: number;
  /** Open sessions of one connection. @default 1000 */
  readonly maxSessions: number;
  /** Characters of conversation in a session; older turns are dropped first. @default 4_000_000 */
  readonly conversationChars: number;
  /**
   * Base64 characters of the images in a session, and of those in one prompt; older ones are dropped first. @default
   * 64 Mi
   */
  readonly imageChars: number;
  /** Size of an `AGENTS.md`; a larger one is not used. @default 64 KiB */
  readonly instructionBytes: number;
  /** Files and directories that one prompt can attach, by link or mention. @default 32 */
  readonly attachments: number;
  /** Characters of one file or resource of a prompt. @default 100_000 */
  readonly attachmentChars: number;
  /** Characters of all files and resources of a prompt. @default 400_000 */
  readonly attachedChars: number;
  /** Images in one prompt. @default 16 */
  readonly promptImages: number;
  /** Size of one image. @default 20 MiB */
  readonly imageBytes: number;
  /** Characters of one response, and of one tool result, in the conversation. @default 100_000 */
  readonly messageChars: number;
  /** Used share of the context window that starts a compaction. @default 0.8 */
  readonly compactionShare: number;
  /**
   * Share of the context window that the latest messages may use after a compaction; older ones are summarized.
   * @default 0.2
   */
  readonly keptShare: number;
  /** Characters of the summary of a conversation, at most a tenth of the context window. @default 20_000 */
  readonly summaryChars: number;
  /** Remembered answers of a session; older ones expire. @default 1000 */
  readonly rememberedAnswers: number;
  /** Tool calls of one step that are stored in the session file; the rest is only counted. @default 200 */
  readonly recordedCalls: number;
  /** Sessions on one page of a list. @default 50 */
  readonly listedSessions: number;
  /** Size of a file that can be read or edited. @default 4 MiB */
  readonly fileBytes: number;
  /** Lines that one read returns. @default 2000 */
  readonly readLines: number;
  /** Characters that one read returns. @default 40_000 */
  readonly readChars: number;
  /** Entries that one listing returns. @default 1000 */
  readonly listEntries: number;
  /** Files that one search by name returns. @default 500 */
  readonly globFiles: number;
  /** Matches that one search returns. @default 200 */
  readonly searchMatches: number;
  /** Characters of a matching line that a search returns. @default 500 */
  readonly searchLineChars: number;
  /** Stored output of a command, half of it from each end. @default 40_000 */
  readonly outputBytes: number;
  /** Silence after which a command is ended. @default 120_000 */
  readonly commandIdleMs: number;
  /** Interval of checks for new output in a client's terminal. @default 2000 */
  readonly terminalPollMs: number;
  /**
   * How long the client may take to end a terminal's command, return its last output, and release it. @default 1500
   */
  readonly terminalEndMs: number;
  /** Background commands of a session, or of a sub-agent, that run at the same time, and ended ones that are remembered. @default 16 */
  readonly jobs: number;
  /** How long one call waits for the end of a background command. @default 300_000 */
  readonly jobWaitMs: number;
  /** Interval of updates with the live output of a command. @default 200 */
  readonly liveOutputMs: number;
  /** Bytes of a page that a fetch reads. @default 5 MiB */
  readonly fetchBytes: number;
  /** Characters of a page that a fetch returns. @default 40_000 */
  readonly fetchChars: number;
  /** Redirects that a fetch follows. @default 5 */
  readonly fetchRedirects: number;
  /** Duration of a fetch. @default 30_000 */
  readonly fetchMs: number;
  /** MCP servers of one session; more are not started. @default 32 */
  readonly mcpServers: number;
  /** Tools of all MCP servers of a session; more are omitted. @default 1000 */
  readonly mcpTools: number;
  /** How long an MCP server may take to respond and to list its tools. @default 30_000 */
  readonly mcpStartMs: number;
  /** How long the first turn waits for MCP servers. @default 10_000 */
  readonly mcpReadyMs: number;
  /** Silence, without result or progress, after which a call of an MCP tool fails. @default 120_000 */
  readonly mcpCallIdleMs: number;
  /** Characters of text in one result of an MCP tool. @default 100_000 */
  readonly mcpResultChars: number;
  /** Base64 characters of one image, audio or resource of a result. @default 8_000_000 */
  readonly mcpBlobChars: number;
}

/** The default limits. */
export const defaultLimits: AgentLimits = {
  maxSteps: 100,
  subagents: 4,
  subagentTotal: 256,
  subagentSteps: 50,
  subagentResultChars: 40_000,
  maxIdenticalCalls: 3,
  maxIdenticalRounds: 5,
  maxSessions: 1000,
  conversationChars: 4_000_000,
  imageChars: 64 * 1024 * 1024,
  instructionBytes: 64 * 1024,
  attachments: 32,
  attachmentChars: 100_000,
  attachedChars: 400_000,
  promptImages: 16,
  imageBytes: 20 * 1024 * 1024,
  messageChars: 100_000,
  compactionShare: 0.8,
  keptShare: 0.2,
  summaryChars: 20_000,
  rememberedAnswers: 1000,
  recordedCalls: 200,
  listedSessions: 50,
  fileBytes: 4 * 1024 * 1024,
  readLines: 2000,
  readChars: 40_000,
  listEntries: 1000,
  globFiles: 500,
  searchMatches: 200,
  searchLineChars: 500,
  outputBytes: 40_000,
  commandIdleMs: 120_000,
  terminalPollMs: 2000,
  terminalEndMs: 1500,
  jobs: 16,
  jobWaitMs: 300_000,
  liveOutputMs: 200,
  fetchBytes: 5 * 1024 * 1024,
  fetchChars: 40_000,
  fetchRedirects: 5,
  fetchMs: 30_000,
  mcpServers: 32,
  mcpTools: 1000,
  mcpStartMs: 30_000,
  mcpReadyMs: 10_000,
  mcpCallIdleMs: 120_000,
  mcpResultChars: 100_000,
  mcpBlobChars: 8_000_000,
};
