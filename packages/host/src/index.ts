export { connectAgent } from './agent/connect-agent.ts';
export { openAgent } from './agent/open-agent.ts';
export { openRemoteAgent } from './agent/open-remote-agent.ts';
export type { AgentConnection } from './agent/agent-connection.ts';
export type {
  AgentOptions,
  ConnectAgentOptions,
  OpenAgentOptions,
  OpenRemoteAgentOptions,
} from './agent/agent-options.ts';
export type { AgentClients, ClientServiceMethod, ServeByClient } from './agent/agent-clients.ts';
export type { ServedResources } from './agent/client-capabilities.ts';
export { specSecrets, specVariables } from './agent/agent-spec.ts';
export type { AgentReach, AgentSpec, AgentStart } from './agent/agent-spec.ts';
export { holdAlone, type HeldAlone } from './sandbox/hold-agent.ts';
export type { HeldAgent } from './sandbox/open-agent-sandbox.ts';
export { approvesCommands } from './sandbox/policy-inside.ts';
export { sandboxChoices, strictestChoice } from './sandbox/sandbox-settings.ts';
export type { HeldBy, SandboxChoice, SandboxHosts, SandboxSettings } from './sandbox/sandbox-settings.ts';
export type { SandboxWish } from './session/session-runtime.ts';
export { launchAgent } from './agent/launch-agent.ts';
export { isPackageRunner } from './agent/package-runner.ts';
export { probeAgent, readReport } from './agent/probe-agent.ts';
export type { AgentProbe, ProbeAgentOptions } from './agent/probe-agent.ts';
export type { LaunchPlace } from './agent/launch-agent.ts';
export { toAuditedAction } from './permission/audit/audit-entry.ts';
export type {
  AuditedAction,
  AuditedCommand,
  AuditedFile,
  AuditEntry,
} from './permission/audit/audit-entry.ts';
export { openAuditLog, readAuditLog } from './permission/audit/audit-log.ts';
export type {
  AuditFollower,
  AuditLog,
  AuditPlace,
  OpenAuditOptions,
  StoredAuditEntry,
} from './permission/audit/audit-log.ts';
export { entryName, findEntry } from './agent/catalogue/catalogue-entry.ts';
export type {
  AsRoot,
  BinaryDistribution,
  CatalogueEntry,
  Distribution,
  PackageDistribution,
  RunningNotes,
  SandboxNeeds,
  SignIn,
} from './agent/catalogue/catalogue-entry.ts';
export { detectAgent, readAgentVersion } from './agent/catalogue/detect-agent.ts';
export type { AgentPresence, VersionOptions } from './agent/catalogue/detect-agent.ts';
export type { PackageCommand } from './agent/catalogue/installed-package.ts';
export { prepareLaunch } from './agent/catalogue/prepare-launch.ts';
export type { LaunchOptions } from './agent/catalogue/prepare-launch.ts';
export { findOnPath, searchPath } from './agent/catalogue/search-path.ts';
export type { SearchPath, SearchVariables } from './agent/catalogue/search-path.ts';
export { versionFolder } from './agent/catalogue/version-folder.ts';
export { reportedSignIn, signInStateOf } from './agent/authentication/sign-in-state.ts';
export type { SignInEvidence } from './agent/authentication/sign-in-state.ts';
export {
  offersUnstable,
  requestUnstable,
  type UnstableMethod,
  type UnstableRequestOptions,
} from './agent/unstable/unstable-request.ts';
export type { McpOverAcpRequest, McpOverAcpServer } from './agent/unstable/mcp-over-acp.ts';
export type { AuthStatus } from './agent/unstable/auth-status.ts';
export type { ProviderRoute, ProviderRoutes } from './agent/unstable/providers.ts';
export { openSignInTerminal } from './agent/authentication/sign-in-terminal.ts';
export type { SignInTerminal, SignInTerminalOptions } from './agent/authentication/sign-in-terminal.ts';
export { toSignInMethods } from './agent/authentication/sign-in-method.ts';
export type {
  AgentSignIn,
  SignInBase,
  SignInMethod,
  SignInVariable,
  TerminalSignIn,
  UnknownSignIn,
  VariablesSignIn,
} from './agent/authentication/sign-in-method.ts';
export { unattendedMethod } from './agent/authentication/unattended-method.ts';
export { withSignIn } from './agent/authentication/with-sign-in.ts';
export type { ChangesSettings } from './changes/changes-settings.ts';
export { SessionChanges } from './changes/session-changes.ts';
export type { ChangesPatch, SessionChangesOptions } from './changes/session-changes.ts';
export type { PendingEvent, PendingEvents } from './changes/pending-events.ts';
export type { BeginningTurn, TurnCheckpoints } from './changes/turn/turn-checkpoints.ts';
export { HostError } from './host-error.ts';
export { openTogether } from './race/open-together.ts';
export { freeRaceId, mostRunners, runnerName, toLabels } from './race/race-names.ts';
export { runRaceRunner } from './race/race-runner.ts';
export type { EndedRunner, RaceRunnerOptions, RunnerTurn } from './race/race-runner.ts';
export type { HostErrorCode, HostErrorDetails } from './host-error.ts';
export type {
  AgentEndEvent,
  AgentFailedEvent,
  AgentRestartEvent,
  AgentStartEvent,
  AgentStartingEvent,
  StderrEvent,
} from './event/agent-event.ts';
export type {
  ChangedFile,
  ChangedPath,
  ChangesCommittedEvent,
  ChangesEvent,
  ChangesOperationEvent,
  ChangesRedoneEvent,
  ChangesUndoneEvent,
  ChangeStatus,
  HunksKeptEvent,
  HunksRevertedEvent,
  MoreFiles,
  OmittedFile,
  RestoredFile,
} from './event/changes-event.ts';
export type { DiagnosticCode, DiagnosticEvent } from './event/diagnostic-event.ts';
export type { NetworkEvent, UsedHost } from './event/network-event.ts';
export { openAgentNetwork } from './network/agent-network.ts';
export type { AgentNetwork } from './network/agent-network.ts';
export type { NetworkLimits } from './network/network-access.ts';
export type { EventStore } from './event/event-store.ts';
export type { ClientName, Sender } from './event/sender.ts';
export type { SteeringEvent, SteeringOutcome, SteeringRequestEvent } from './event/steering-event.ts';
export type { SubagentName } from './event/subagent-name.ts';
export type { HostEvent } from './event/host-event.ts';
export type {
  DecidedBy,
  ElicitationEvent,
  ElicitationRequestEvent,
  PermissionEvent,
  PermissionRequestEvent,
} from './event/question-event.ts';
export type {
  FileState,
  FileWriteEvent,
  TerminalEndEvent,
  TerminalStartEvent,
} from './event/resource-event.ts';
export type {
  SessionEndEvent,
  SessionEvent,
  SessionWorktree,
  SessionNotOpenedEvent,
  SessionOpeningEvent,
  SessionReadyEvent,
  SessionRecoveredEvent,
  SessionLostEvent,
  SettingsEvent,
  UpdateEvent,
} from './event/session-event.ts';
export type {
  TurnCancelEvent,
  TurnEndBase,
  TurnEndEvent,
  TurnFailure,
  TurnStartEvent,
  TurnStop,
  TurnTimeoutEvent,
} from './event/turn-event.ts';
export type { ElicitationAnswer, Interact, InteractOptions, PermissionInteractOptions } from './interact.ts';
export { SharedEventLogs } from './store/shared-event-logs.ts';
export type { SharedEventLogsOptions, UseEventLogOptions } from './store/shared-event-logs.ts';
export type {
  CommandError,
  CommandOutcome,
  Replica,
  ReplicaCommand,
  ReplicaMember,
  Replicas,
  ReplicaWorkspace,
  SessionLocation,
  SharedElsewhere,
  SharedSession,
  SilentReplica,
  TakenCommand,
} from './replica/replicas.ts';
export { copyEventLog } from './store/copy-event-log.ts';
export type { CopyEventLogOptions } from './store/copy-event-log.ts';
export type { EventLog, OpenEventLogOptions } from './store/event-log.ts';
export { findSession } from './store/find-session.ts';
export type { AgentsSession } from './store/find-session.ts';
export { isLogOf, type LoggedAgent } from './store/logged-agent.ts';
export { createSessionKey, isSessionKey } from './store/session-key.ts';
export type { IndexedSession, SessionIndex } from './store/session-index.ts';
export type { SessionColumns, SessionHead, SessionOwner } from './store/session-head.ts';
export type {
  EventPart,
  FollowEventsOptions,
  ListSessionsOptions,
  ReadEventsOptions,
  SessionStore,
} from './store/session-store.ts';
export { filesStore } from './store/files/files-store.ts';
export type { FilesStore } from './store/files/files-store.ts';
export { readSession, readSessionFacts } from './store/stored-session.ts';
export type { StoredSession } from './store/stored-session.ts';
export { toLoggedEntry } from './event/to-logged-entry.ts';
export type {
  Interruption,
  LoggedUpdate,
  LoggedEntry,
  LoggedEvent,
  AapDeltas,
  AapEvent,
  EventStamp,
  EventLogStart,
  Omission,
  UnknownEntry,
} from './event/logged-event.ts';
export type {
  AnswerToRemember,
  OptionAnswer,
  PermissionAnswer,
  SignedAnswer,
} from './permission/permission-answer.ts';
export type { DecisionReason, PolicyReason, OwnedRule } from './permission/reason.ts';
export { decide } from './permission/decide.ts';
export type { PolicyDecision } from './permission/decide.ts';
export type {
  RequestedAction,
  RequestedCommand,
  RequestedContent,
  RequestedFile,
  RequestedVariable,
} from './permission/request/requested-action.ts';
export { filesElsewhere, toRequestedAction } from './permission/request/to-requested-action.ts';
export type { ActionPlace, KnownCommand, SeenAction } from './permission/request/to-requested-action.ts';
export type { ResolvedProgram } from './permission/request/command.ts';
export { subjectOf } from './permission/request/permission-subject.ts';
export type { JudgedAction, PermissionSubject } from './permission/request/permission-subject.ts';
export type { ApprovalLevel, Approve, Policy } from './permission/policy.ts';
export { simulateSession } from './permission/simulate.ts';
export type {
  ChangedDecision,
  SimulatedPolicy,
  SimulationCounts,
  SimulationOptions,
} from './permission/simulate.ts';
export { projectRoot } from './permission/remembered/project-root.ts';
export {
  createRuleDenials,
  type RuleDenial,
  type RuleDenials,
  type RuleDenialsOptions,
} from './permission/rule-denials.ts';
export { answersMayHoldSecret, withoutSecretDefaults } from './services/elicitation/shown-answers.ts';
export { redactError } from './redaction/redact-error.ts';
export { redactEvent, redactInfo } from './redaction/redact-event.ts';
export { redactAction } from './redaction/redact-action.ts';
export { redactElicitation, redactPermission } from './redaction/redact-question.ts';
export { redactPolicyReason, redactRule } from './redaction/redact-rule.ts';
export { mayHoldSecret } from './redaction/may-hold-secret.ts';
export { redactSettings } from './redaction/redact-settings.ts';
export { redactAccounts, redactProviders } from './redaction/redact-report.ts';
export { RedactedSpeech } from './redaction/redacted-speech.ts';
export { RedactedText, Redaction } from './redaction/redaction.ts';
export { answerList, scopeText } from './permission/remembered/stored-answer.ts';
export type { StoredAnswerRule, StoredAnswer } from './permission/remembered/stored-answer.ts';
export { ruleReason } from './permission/rule-reason.ts';
export type { SearchRole } from './search/item-text.ts';
export { searchEventLogs } from './search/search-event-logs.ts';
export { reportUsage, usageByDay, type UsageOptions } from './usage/usage-by-day.ts';
export type { DayUsage, UsageReport } from './hub/usage-report.ts';
export type { SearchHit, SearchEventLogsOptions } from './search/search-event-logs.ts';
export { createSearchPattern } from './search/search-pattern.ts';
export type { SearchPattern } from './search/search-pattern.ts';
export { rawOutputText } from './agent-session/raw-output.ts';
export { agentTerminalReport, type AgentTerminalReport } from './services/terminal/agent-terminal.ts';
export { createReportedOutputs, type ReportedOutputs } from './services/terminal/reported-outputs.ts';
export type { TerminalOutput } from './services/terminal/terminal-output.ts';
export { forkSession, offersFork } from './agent-session/opening/fork-session.ts';
export { openSession } from './agent-session/opening/open-session.ts';
export { settingsOf } from './agent-session/settings/settings.ts';
export type { Settings } from './agent-session/settings/settings.ts';
export type {
  CancelOptions,
  LegacyModel,
  OpenSessionOptions,
  PromptOptions,
  PromptResult,
  AgentSession,
  SignalOptions,
  SteerOptions,
} from './agent-session/agent-session.ts';
export type { TurnLimit, TurnLimits } from './agent-session/turn/turn-time.ts';
export { describeWait } from './agent-session/turn/turn-wait.ts';
export type { OpenToolCall, TurnWait } from './agent-session/turn/turn-wait.ts';
export { together } from './together.ts';
export { createCount } from './count.ts';
export type { Count } from './count.ts';
export type { AcquireOptions, AgentPool, AgentSlot, SlotUser } from './agent/pool/agent-pool.ts';
export { defaultDelegationLimits, type DelegationLimits } from './delegation/delegation-limits.ts';
export type { DelegationTool } from './delegation/delegation-tools.ts';
export type {
  DelegateBasis,
  DelegateSession,
  DelegateWish,
  DelegationAbove,
  DelegationCounts,
  DelegationOptions,
  DelegationServer,
  OpenedDelegate,
  ServedDelegation,
  TeamAgent,
} from './delegation/team.ts';
export { heldToParents } from './permission/held-to-parents.ts';
export { createLimitedPool } from './agent/pool/limited-pool.ts';
export type { LimitedPool, LimitedPoolOptions } from './agent/pool/limited-pool.ts';
export { unlimitedPool } from './agent/pool/unlimited-pool.ts';
export { recordingLines } from './frames/frame-file.ts';
export type { FrameLog, FrameRedactor } from './frames/frame-log.ts';
export { FrameLogs } from './frames/frame-logs.ts';
export type { FrameLogsOptions } from './frames/frame-logs.ts';
export { watchFrames } from './frames/frame-watch.ts';
export type { FrameWatchOptions } from './frames/frame-watch.ts';
export { Session } from './session/session.ts';
export type { ExtensionCall } from './session/extension-call.ts';
export type { PromptQueue } from './session/queue/prompt-queue.ts';
export type { SessionSubagents } from './session/session-subagents.ts';
export type { PromptSender, SentPrompt, SessionTurns } from './session/session-turns.ts';
export type { UserNotes } from './session/user-notes.ts';
export type { OfferedSettings } from './session/run/set-option.ts';
export type { SessionOptions } from './session/session-options.ts';
export type { AgentRun, ChosenSession, WantedSession } from './session/run/agent-run.ts';
export type { SessionPlace, SessionRuntime } from './session/session-runtime.ts';
export { defaultSessionLimits } from './session/session-limits.ts';
export type { SessionLimits } from './session/session-limits.ts';
export { noNotes, toNotes } from './session/session-notes.ts';
export type { AgentMarks, SessionNotes } from './session/session-notes.ts';
export { eventBytes } from './event/event-bytes.ts';
export { endStoredSession } from './session/end-stored-session.ts';
export { namedSessions, withSessionId } from './session/session-ids.ts';
export type { TerminalText } from './session/live-terminals.ts';
export { parsePromptBlocks, withoutLongContent } from './session/queue/queued-content.ts';
export { commandsOf, SessionSignIn } from './session/run/sign-in.ts';
export type { AskSignIn, SessionSignInOptions, SignInReply } from './session/run/sign-in.ts';
export { TextTail } from './session/text-tail.ts';
export { toRpcError } from './session/to-rpc-error.ts';
export { TypedVariables } from './session/run/typed-variables.ts';
export { recoverSession } from './agent/supervisor/recover-session.ts';
export type { RecoveredSession, SessionOpener } from './agent/supervisor/recover-session.ts';
export { superviseAgent } from './agent/supervisor/supervise-agent.ts';
export type {
  AgentState,
  StartOptions,
  SupervisedAgent,
  SuperviseOptions,
} from './agent/supervisor/supervised-agent.ts';
export type { RestartOptions } from './agent/supervisor/back-off.ts';
export type { TurnUsage } from './agent-session/turn/turn-usage.ts';
export { proxyAgent, type AgentProxy, type ProxyEnd, type ProxyOptions } from './proxy/proxy-agent.ts';
export { openRemote, type OpenRemoteOptions } from './agent/remote/open-remote.ts';
export { parseRemoteAddress, type RemoteAddress } from './agent/remote/remote-address.ts';
