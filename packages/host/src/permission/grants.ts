import type { Command } from '@parley/workspace';
import { isSameCommand } from './command.ts';
import type { Subject } from './subject.ts';

/** How many grants of one session are remembered; the oldest is forgotten first. */
const grantLimit = 1024;

/**
 * What the agent was granted in a session. A granted call covers its own write through the client (the same file)
 * and its own command (the same one in the same place, once), and nothing more: asking for one thing earns no trust for another.
 */
export interface Grants {
  /** @param always Granted with an "always" option: it holds for the session, not only for this call. */
  add(toolCallId: string, subject: Subject, always: boolean): void;
  /** The call that covers writing this file, by its canonical path. */
  forWrite(path: string): string | undefined;
  /**
   * The call that covers this command, which thereby uses up a grant that was given once.
   *
   * @param directories Where it is to start, by each name of that directory.
   */
  takeCommand(command: Command, directories: readonly string[]): string | undefined;
  /** The call has ended: what was granted for it alone is over. */
  endCall(toolCallId: string): void;
  /** The turn has ended: what was not granted for the session is over. */
  endTurn(): void;
}

interface Grant {
  readonly toolCallId: string;
  readonly subject: Subject;
  readonly always: boolean;
}

/** Begins with nothing granted. */
export function createGrants(): Grants {
  const grants = new Set<Grant>();

  function keep(condition: (grant: Grant) => boolean): void {
    for (const grant of grants) if (!condition(grant)) grants.delete(grant);
  }

  return {
    add(toolCallId, subject, always) {
      grants.add({ toolCallId, subject, always });
      if (grants.size <= grantLimit) return;
      const [oldest] = grants;
      if (oldest !== undefined) grants.delete(oldest);
    },
    forWrite(path) {
      for (const { subject, toolCallId } of grants) {
        if (coversWrites(subject) && subject.paths.includes(path)) return toolCallId;
      }
      return undefined;
    },
    takeCommand(command, directories) {
      for (const grant of grants) {
        const { subject, toolCallId } = grant;
        if (!coversCommands(subject) || !isSameCommand(subject.command, command)) continue;
        // The same words do something else in another place.
        if (subject.directory !== undefined && !directories.includes(subject.directory)) continue;
        if (!grant.always) grants.delete(grant);
        return toolCallId;
      }
      return undefined;
    },
    endCall(toolCallId) {
      keep((grant) => grant.always || grant.toolCallId !== toolCallId);
    },
    endTurn() {
      keep((grant) => grant.always);
    },
  };
}

/** A call that was granted as reading a file does not cover writing it. */
function coversWrites({ kind = 'other' }: Subject): boolean {
  return kind === 'edit' || kind === 'move' || kind === 'other';
}

function coversCommands(subject: Subject): subject is Subject & { readonly command: Command } {
  const { kind = 'other', command } = subject;
  return command !== undefined && (kind === 'execute' || kind === 'other');
}
