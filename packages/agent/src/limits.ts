/** Bounds of the agent; each is listed in LIMITS.md. */
export interface AgentLimits {
  /** Model responses with tool calls in one turn; one without may follow. @default 100 */
  readonly maxSteps: number;
  /** The call with the same arguments that ends the turn when it comes so often in a row. @default 3 */
  readonly maxIdenticalCalls: number;
  /** Rounds of the same two to four calls, with the same results, that end the turn. @default 5 */
  readonly maxIdenticalRounds: number;
  /** Open sessions of one connection. @default 1000 */
  readonly maxSessions: number;
  /** Characters of conversation a session keeps; older turns go first. @default 4_000_000 */
  readonly conversationChars: number;
  /** Characters of Base64 of the images a session keeps, and of those of one prompt; older ones go first. @default 64 Mi */
  readonly imageChars: number;
  /** Size of an `AGENTS.md`; a larger one is not used. @default 64 KiB */
  readonly instructionBytes: number;
  /** Files and directories that are attached to one prompt, by link or mention. @default 32 */
  readonly attachments: number;
  /** Characters of one file or resource of a prompt. @default 100_000 */
  readonly attachmentChars: number;
  /** Characters of all of them. @default 400_000 */
  readonly attachedChars: number;
  /** Images of one prompt. @default 16 */
  readonly promptImages: number;
  /** Size of one image. @default 20 MiB */
  readonly imageBytes: number;
  /** Characters of one response, and of one tool result, that the conversation keeps. @default 100_000 */
  readonly messageChars: number;
  /** Share of the model's window that is used when the conversation is compacted. @default 0.8 */
  readonly compactionShare: number;
  /** Share of the window that the latest messages may keep then; older ones are summed up. @default 0.2 */
  readonly keptShare: number;
  /** Characters of the summary of a conversation, which also has no more than a tenth of the window. @default 20_000 */
  readonly summaryChars: number;
  /** Answers to permission questions a session remembers; older ones are asked again. @default 1000 */
  readonly rememberedAnswers: number;
  /** Tool calls of one step that are kept for a later time; of more, only their number. @default 200 */
  readonly recordedCalls: number;
  /** Sessions on one page of a list. @default 50 */
  readonly listedSessions: number;
  /** Size of a file that can be read or edited. @default 4 MiB */
  readonly fileBytes: number;
  /** Lines that one read gives. @default 2000 */
  readonly readLines: number;
  /** Characters that one read gives. @default 40_000 */
  readonly readChars: number;
  /** Entries that one listing gives. @default 1000 */
  readonly listEntries: number;
  /** Files that one search by name gives. @default 500 */
  readonly globFiles: number;
  /** Matches that one search gives. @default 200 */
  readonly searchMatches: number;
  /** Characters of a matching line that a search gives. @default 500 */
  readonly searchLineChars: number;
  /** How much of a command's output is kept, half of it from each end. @default 40_000 */
  readonly outputBytes: number;
  /** Silence after which a command is ended. @default 120_000 */
  readonly commandIdleMs: number;
  /** Time between two looks at the output of a client's terminal, for the silence after which it is ended. @default 2000 */
  readonly terminalPollMs: number;
  /** How long the client may take to end a terminal's command, to give its last output, and to release it. @default 1500 */
  readonly terminalEndMs: number;
  /** Commands of a session in the background that run at once, and as many that ended. @default 16 */
  readonly jobs: number;
  /** How long one call waits for the end of such a command. @default 300_000 */
  readonly jobWaitMs: number;
  /** Time between two updates with a command's live output. @default 200 */
  readonly liveOutputMs: number;
  /** Bytes of a page that a fetch reads. @default 5 MiB */
  readonly fetchBytes: number;
  /** Characters of a page that a fetch gives. @default 40_000 */
  readonly fetchChars: number;
  /** Redirects that a fetch follows. @default 5 */
  readonly fetchRedirects: number;
  /** Time for a fetch. @default 30_000 */
  readonly fetchMs: number;
  /** MCP servers of one session; more are not started. @default 32 */
  readonly mcpServers: number;
  /** Tools of all MCP servers of a session; more are left out. @default 1000 */
  readonly mcpTools: number;
  /** How long an MCP server may take to answer and to list its tools. @default 30_000 */
  readonly mcpStartMs: number;
  /** How long the first turn waits for MCP servers. @default 10_000 */
  readonly mcpReadyMs: number;
  /** Silence, without result or progress, after which a call of an MCP tool fails. @default 120_000 */
  readonly mcpCallIdleMs: number;
  /** Characters of text that one result of an MCP tool gives. @default 100_000 */
  readonly mcpResultChars: number;
  /** Characters of Base64 of one image, recording or resource of a result. @default 8_000_000 */
  readonly mcpBlobChars: number;
}

/** What holds when nothing else is said. */
export const defaultLimits: AgentLimits = {
  maxSteps: 100,
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
