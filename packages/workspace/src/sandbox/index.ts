export type { MissingSandboxEngine, SandboxEngine, SandboxEngineName } from './engine.ts';
export { findSandboxEngine, type FindSandboxEngineOptions } from './find-engine.ts';
export { openSandbox } from './open-sandbox.ts';
export type { SandboxMode, SandboxNetwork, SandboxPlan, SandboxRelay } from './plan.ts';
export { mostStarts, runHeld, type HeldResult } from './run-held.ts';
export type { HeldCommand, Sandbox, StartTrouble } from './sandbox.ts';
