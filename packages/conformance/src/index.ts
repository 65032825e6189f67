export { manualClock, type ManualClock } from './manual-clock.ts';
export { agentRequirements, checkAgent, type CheckAgentOptions } from './acp-v1/check-agent.ts';
export { checkClient, type CheckClientOptions, clientRequirements } from './acp-v1/client/check-client.ts';
export { clientProgram, type AgentStreams, type ClientProgram } from './acp-v1/client/client-program.ts';
export type { CheckOptions, CheckPrompts } from './acp-v1/check-kit.ts';
export { processProgram } from './acp-v1/checked-agent.ts';
export type { AgentProgram, RunningProgram, SentRequest } from './acp-v1/checked-agent.ts';
export type { CheckResult, ConformanceCard, Level, Outcome, Rule } from './acp-v1/requirement.ts';
export type { CommandLineCase, RuledLineCase } from './command-lines/command-line-case.ts';
export { deniedLines, type DeniedExpectation } from './command-lines/denied-lines.ts';
export { irreversibleLines, type IrreversibleExpectation } from './command-lines/irreversible-lines.ts';
export { prefixLines } from './command-lines/prefix-lines.ts';
export type { PrefixExpectation } from './command-lines/command-line-case.ts';
export { shellLines, type ShellExpectation, type ShellLineCase } from './command-lines/shell-lines.ts';
export { sessionStoreContract } from './session-store-contract.ts';
export type { SessionStorage, SessionStoreRequirement } from './session-store-contract.ts';
export type {
  CheckedSessionStore,
  ContractEntry,
  HeadOfEventLog,
  NumberedEvent,
  OpenedAs,
  OwnedEventLog,
} from './checked-session-store.ts';
export { faultyAgent } from './faulty-agent.ts';
export { replayAgent, replayFile, type ReplayedAgent } from './replay/replay-agent.ts';
export type { ReplayOptions } from './replay/replay.ts';
export { aapStoreContract, type AapStoreRequirement } from './aap-store-contract.ts';
export { delegatingAgent } from './delegating-agent.ts';
export { subagentAgent } from './subagent-agent.ts';
export { testCertificate } from './test-certificate.ts';
export { unstableAgent } from './unstable-agent.ts';
export { transportContract, type TransportEnds, type TransportRequirement } from './transport-contract.ts';
export { fullDisk } from './full-disk.ts';
export type { FullDisk } from './full-disk.ts';
export { findPostgres, startPostgres } from './test-postgres.ts';
export type { NoPostgres, RunSql, StartPostgresOptions, TestPostgres } from './test-postgres.ts';
export { startProxy } from './test-proxy.ts';
export type { ProxyMode, TestProxy } from './test-proxy.ts';
