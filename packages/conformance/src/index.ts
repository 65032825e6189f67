export { manualClock, type ManualClock } from './manual-clock.ts';
export { checkAgent, checkRequirement } from './acp-v1/check-agent.ts';
export type { CheckAgentOptions, CheckResult } from './acp-v1/check-agent.ts';
export type { CheckOptions, CheckPrompts } from './acp-v1/check-kit.ts';
export type { AgentRequirement, Outcome, Tier } from './acp-v1/requirement.ts';
export { agentRequirements } from './acp-v1/requirements.ts';
export { faultyAgent } from './faulty-agent.ts';
export type {
  FrameDirection,
  RecordedFault,
  RecordedFrame,
  RecordingEntry,
  RecordingHead,
  UnreadableLine,
} from './recording/entry.ts';
export type { MessageView } from './recording/message-view.ts';
export { readRecording } from './recording/read-recording.ts';
export { RecordingError, type RecordingErrorCode } from './recording/recording-error.ts';
export { replayAgent, replayFile, type ReplayedAgent } from './recording/replay/replay-agent.ts';
export type { ReplayOptions } from './recording/replay/replay.ts';
export { Trace, type OpenRequest, type TracedFrame } from './recording/trace.ts';
export { openRecording, type Recording, type RecordingOptions } from './recording/recording.ts';
export { Redactor } from './recording/redactor.ts';
export { namesSecret } from './recording/secret-name.ts';
export { sessionStoreContract, type SessionStoreRequirement } from './session-store-contract.ts';
export { transportContract, type TransportEnds, type TransportRequirement } from './transport-contract.ts';
