import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { inStore, storeOption, type TypedStore } from '../store/store-option.ts';
import type { Surroundings } from '../surroundings.ts';
import { addAgentSessionCommands } from './agent-session-commands.ts';
import type { TypedAgentListFlags } from './agent-sessions.ts';
import { asksAgent, type TypedAgentFlags } from './asks-agent.ts';
import type { TypedAuditFlags } from './audit.ts';
import type { TypedCopyFlags } from './copy.ts';
import type { TypedDeleteFlags } from './delete.ts';
import type { TypedExportFlags } from './export.ts';
import type { TypedListFlags } from './list.ts';
import type { TypedSearchFlags } from './search.ts';
import type { TypedShowFlags } from './show.ts';
import type { TypedUsageFlags } from './usage.ts';

/** Options of {@link addSessionsCommand}. */
export interface SessionsCommandOptions {
  readonly surroundings: Surroundings;
  /** The words after `--`; absent without one. */
  readonly command?: readonly string[];
  readonly finish: (status: number) => void;
}

/** Adds `parley sessions` and its subcommands. */
export function addSessionsCommand(
  root: Command,
  { surroundings, command, finish }: SessionsCommandOptions,
): void {
  const words = command === undefined ? {} : { command };
  const sessions = root
    .command('sessions')
    .summary('stored sessions: list, show, search, usage, audit, export, copy, delete')
    .description('Lists, shows, searches, exports and deletes stored sessions.')
    .addHelpText('after', notes);

  sessions
    .command('list')
    .description('Lists stored sessions, newest first.')
    .option('--json', 'print JSON: {"sessions": […], "more": N}')
    .option('--cwd <dir>', 'only sessions in this folder')
    .option('--agent-name <name>', 'only sessions with this agent')
    .option('--limit <n>', 'maximum number of sessions (default: 20)')
    .option(
      '-a, --agent <name>',
      "list the sessions in this agent's own store instead of those stored by Parley",
    )
    .option('--archived', 'with --agent: only archived sessions')
    .option(
      '--config <file>',
      "with --agent: use this configuration file instead of the user's and the project's",
    )
    .option(...storeOption)
    .action(async (flags: TypedListFlags & TypedAgentListFlags & TypedStore) => {
      const typed = { ...flags, ...words };
      if (asksAgent(typed)) {
        if (flags.agentName !== undefined) {
          throw new CliError('usage', '--agent-name only applies to sessions that Parley stores');
        }
        const { listAgentSessions } = await import('./agent-sessions.ts');
        finish(await listAgentSessions(typed, surroundings));
        return;
      }
      if (flags.archived === true) {
        throw new CliError(
          'usage',
          "--archived only applies to an agent's own sessions; name it with --agent",
        );
      }
      const { listSessions } = await import('./list.ts');
      finish(await inStore(flags, surroundings, (here) => listSessions(flags, here)));
    });

  sessions
    .command('show')
    .description(
      'Shows a session: the conversation, and the tool calls with their results and who allowed them.',
    )
    .argument('<ID>', 'its id, or the start of it')
    .option('--json', 'print one JSON document, as "parley sessions export --format json" does')
    .option('--raw', 'print the events of the event log, one JSON object per line')
    .option(...storeOption)
    .action(async (id: string, flags: TypedShowFlags & TypedStore) => {
      const { showSession } = await import('./show.ts');
      finish(await inStore(flags, surroundings, (here) => showSession(id, flags, here)));
    });

  sessions
    .command('search')
    .description(
      'Searches the prompts, answers, questions and tool calls of all sessions. Exits with 1 if nothing matches.',
    )
    .argument('<TEXT>', 'the text to find; case-sensitive only if it contains an uppercase letter')
    .option('--regex', 'treat the text as a JavaScript regular expression')
    .option('--json', 'print JSON: {"hits": […], "more": true or false}')
    .option('--cwd <dir>', 'only sessions in this folder')
    .option('--agent-name <name>', 'only sessions with this agent')
    .option('--limit <n>', 'maximum number of matches (default: 100)')
    .option(...storeOption)
    .action(async (text: string, flags: TypedSearchFlags & TypedStore) => {
      const { searchSessions } = await import('./search.ts');
      finish(await inStore(flags, surroundings, (here) => searchSessions(text, flags, here)));
    });

  sessions
    .command('usage')
    .description('Shows the tokens and costs that agents reported, by day, agent and folder.')
    .option('--days <n>', 'number of days, including today (default: 30)')
    .option('--json', 'print JSON: {"days": N, "usage": […]}')
    .option('--cwd <dir>', 'only sessions in this folder')
    .option('--agent-name <name>', 'only sessions with this agent')
    .option(...storeOption)
    .action(async (flags: TypedUsageFlags & TypedStore) => {
      const { showUsage } = await import('./usage.ts');
      finish(await inStore(flags, surroundings, (here) => showUsage(flags, here)));
    });

  sessions
    .command('audit')
    .description(
      'Shows who allowed what, in all sessions or in one. Exits with 1 if the audit log was modified, and prints where.',
    )
    .argument('[SESSION]', 'its id, or the start of it')
    .option('--json', 'print JSON: {"entries": […], "chain": {…}}')
    .option('--verify', 'only check that the audit log was not modified')
    .action(async (id: string | undefined, flags: TypedAuditFlags) => {
      const { auditSessions } = await import('./audit.ts');
      finish(await auditSessions(id, flags, surroundings));
    });

  sessions
    .command('export')
    .description('Exports a session as Markdown or JSON. Secrets that Parley recognizes are redacted.')
    .argument('<ID>', 'its id, or the start of it')
    .option('--format <format>', 'markdown (default) or json')
    .option('--output <file>', 'the output file (default: standard output)')
    .option(...storeOption)
    .action(async (id: string, flags: TypedExportFlags & TypedStore) => {
      const { exportSession } = await import('./export.ts');
      finish(await inStore(flags, surroundings, (here) => exportSession(id, flags, here)));
    });

  sessions
    .command('delete')
    .description('Deletes sessions permanently. Open sessions are skipped.')
    .argument('[ID...]', 'the ids of the sessions, or the start of each')
    .option('--all', 'delete all sessions that are not open')
    .option('--older-than <age>', 'with --all: only sessions without an event for this time: 12h, 30d, 4w')
    .option('--yes', 'do not ask for confirmation')
    .option(
      '-a, --agent <name>',
      "delete sessions in this agent's own store instead of those stored by Parley",
    )
    .option(
      '--config <file>',
      "with --agent: use this configuration file instead of the user's and the project's",
    )
    .option(...storeOption)
    .action(async (ids: readonly string[], flags: TypedDeleteFlags & TypedAgentFlags & TypedStore) => {
      const typed = { ...flags, ...words };
      if (asksAgent(typed)) {
        if (flags.all === true || flags.olderThan !== undefined) {
          throw new CliError('usage', '--all and --older-than only apply to sessions that Parley stores');
        }
        const { deleteAgentSessions } = await import('./agent-sessions.ts');
        finish(await deleteAgentSessions(ids, typed, surroundings));
        return;
      }
      const { deleteSessions } = await import('./delete.ts');
      finish(await inStore(flags, surroundings, (here) => deleteSessions(ids, flags, here)));
    });

  sessions
    .command('copy')
    .description(
      'Copies all sessions of one store to another, unchanged. Sessions that the target already has are not overwritten, ' +
        'so the command can be repeated.',
    )
    .requiredOption('--from <url|dir>', 'the source: a database, or a folder of "parley serve --store"')
    .requiredOption('--to <url|dir>', 'the target: a database, or a folder, created if it does not exist')
    .option('--json', 'print JSON: {"copied": [ID…], "same": [ID…], "differs": [ID…], "open": [ID…]}')
    .action(async (flags: TypedCopyFlags) => {
      const { copySessions } = await import('./copy.ts');
      finish(await copySessions(flags, surroundings));
    });

  addAgentSessionCommands(sessions, { surroundings, words, finish });
}

const notes = `
ID is the id of a session or the start of it, as printed by "list"; the agent's
own id works too.

Some agents store sessions themselves. "list" and "delete" with --agent NAME, or
with the command line of an agent after --, use that store, and so do "load",
"fork", "rename", "archive" and "unarchive".

Examples:
  parley sessions list --cwd .
  parley sessions show 1a2b
  parley sessions search "off by one"
  parley sessions export 1a2b --output talk.md
  parley sessions load --agent claude 5f0c
  parley sessions delete --all --older-than 30d`;
