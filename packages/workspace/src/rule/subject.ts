import type { Command } from '../command/command.ts';

/** What a tool call would do, as far as it shows: what rules are held against. */
export interface Subject {
  /** The ACP kind. */
  readonly kind?: string;
  /** The name of the tool. */
  readonly tool?: string;
  readonly command?: Command;
  /** Where the command starts, absolute. @default the session's directory */
  readonly directory?: string;
  /** Absolute. A path that is a link is there twice: as it was named, and where it leads. */
  readonly paths: readonly string[];
  /** Where something is fetched from, with its port unless that is the usual one. */
  readonly host?: string;
  /** The agent that acts: its name here, or its command. */
  readonly agent?: string;
}
