import type { ProcessOptions } from '../process/start-process.ts';
import type { SandboxEngine } from './engine.ts';
import type { SandboxPlan } from './plan.ts';

/** An open sandbox: each command that it holds has the same folders, temporary folder and kind of network. */
export interface Sandbox extends AsyncDisposable {
  readonly plan: SandboxPlan;
  readonly engine: SandboxEngine;
  /** Where commands inside find the socket for tools; undefined if the plan has none. */
  readonly toolSocket: string | undefined;
  /** Converts a command for `startProcess`. Inside, a self-test runs before the command; if it fails, the command does not start. */
  hold(command: ProcessOptions): HeldCommand;
  /** Returns why the sandbox refuses to write to a real path, or undefined if it can be written. */
  refusesWrite(path: string): string | undefined;
  /** Returns why the sandbox refuses to read a real path, or undefined if it can be read. */
  refusesRead(path: string): string | undefined;
  /** Returns folders that became repositories since the last call, where that could not be prevented: git runs programs that files in them name. */
  takeConverted(): readonly string[];
  /** Removes what the sandbox created outside. End its processes first. */
  close(): Promise<void>;
}

/** A command in its sandbox. */
export interface HeldCommand {
  readonly options: ProcessOptions;
  /** Returns why the command was not started, once its process has exited; undefined if it was started. */
  trouble(): Promise<StartTrouble | undefined>;
}

/** Why a sandbox did not start a command. */
export interface StartTrouble {
  /** The reason, and what to do. */
  readonly message: string;
  /** Whether it concerned this start only: what the sandbox was about to hide was removed meanwhile, such as the socket of a program that ended. */
  readonly isPassing: boolean;
}
