import type { Implementation, TraceContext } from '@parley/acp';
import type { ListPlace } from '@parley/workspace';
import type { AgentSpec } from '../agent/agent-spec.ts';
import type { ServedResources } from '../agent/client-capabilities.ts';
import type { AgentPool } from '../agent/pool/agent-pool.ts';
import type { RestartOptions } from '../agent/supervisor/back-off.ts';
import type { ChangesSettings } from '../changes/changes-settings.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { FrameRedactor } from '../frames/frame-log.ts';
import type { Policy } from '../permission/policy.ts';
import type { SandboxChoice, SandboxSettings } from '../sandbox/sandbox-settings.ts';
import type { SharedEventLogs } from '../store/shared-event-logs.ts';

/** What all sessions that a program owns have in common. */
export interface SessionRuntime {
  /** The event logs of the sessions. Each is open once, also where another part of the program writes it too. */
  readonly eventLogs: SharedEventLogs;
  /** Where remembered answers are stored. @default only as long as the agent runs */
  readonly answersFile?: ListPlace;
  /** What decides about permissions in a folder before a user is asked. */
  readonly policyFor: (cwd: string) => Policy | Promise<Policy>;
  /** How what turns change is covered in a folder; undefined where that is switched off. @default it is switched off */
  readonly changesIn?: (cwd: string) => ChangesSettings | undefined | Promise<ChangesSettings | undefined>;
  /** How the agent of a session is held; undefined where it is not. @default none is held */
  readonly sandboxFor?: (
    wish: SandboxWish,
  ) => SandboxSettings | undefined | Promise<SandboxSettings | undefined>;
  readonly pool: AgentPool;
  /** The `clientInfo` for agents. */
  readonly info: Implementation;
  readonly startTimeoutMs?: number;
  readonly openTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly restart?: RestartOptions;
  /** Takes secrets out of frames before clients see them, beside those that are known here. @default only those */
  readonly redactFrames?: (agent: AgentSpec) => FrameRedactor;
  /** Receives what happens with the agents, in order and without secrets, when it is logged. A promise makes the agent wait. */
  readonly onEvent?: (event: HostEvent, place: SessionPlace) => void | Promise<void>;
  /** What the agent may reach, besides what its spec says. @default a terminal of the user's to sign in */
  readonly serves?: ServedResources;
  /** The trace that sessions are part of. @default one of its own for each session */
  readonly trace?: TraceContext;
  /** A fault of ours. @default nothing is said */
  readonly onFault?: (error: unknown) => void;
}

/** The session that an agent is held for. */
export interface SandboxWish {
  readonly spec: AgentSpec;
  readonly cwd: string;
  /** What a user chose for the session. @default as it is configured */
  readonly choice?: SandboxChoice;
  /** The widest sandbox that it may have, as a delegate. @default any */
  readonly widest?: SandboxChoice;
}

/** Where something happened. */
export interface SessionPlace {
  readonly agent: string;
  /** The session's key. */
  readonly sessionId: string;
}
