import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { Surroundings } from '../surroundings.ts';
import type { TypedAgentListFlags } from './agent-sessions.ts';
import { asksAgent, type TypedAgentFlags } from './asks-agent.ts';
import type { TypedAuditFlags } from './audit.ts';
import type { TypedDeleteFlags } from './delete.ts';
import type { TypedExportFlags } from './export.ts';
import type { TypedListFlags } from './list.ts';
import type { TypedSearchFlags } from './search.ts';

/** The surroundings of a command besides its flags. */
export interface SessionsCommandOptions {
  readonly surroundings: Surroundings;
  /** What stood behind `--`; absent when there was no `--`. */
  readonly command?: readonly string[];
  readonly finish: (status: number) => void;
}

/** Adds `parley sessions` and what it consists of. */
export function addSessionsCommand(
  root: Command,
  { surroundings, command, finish }: SessionsCommandOptions,
): void {
  const words = command === undefined ? {} : { command };
  const sessions = root
    .command('sessions')
    .summary('what was said and done: list, show, search, audit, export, delete')
    .description('The sessions that parley keeps: each prompt, answer, tool call and decision.')
    .addHelpText('after', notes);

  sessions
    .command('list')
    .description('Lists the sessions that are kept here, the last first.')
    .option('--json', 'one JSON document: {"sessions": […], "more": N}')
    .option('--cwd <dir>', 'only sessions of this folder')
    .option('--agent-name <name>', 'only sessions with this agent')
    .option('--limit <n>', 'how many at most (20)')
    .option('-a, --agent <name>', 'what this agent keeps itself, instead of what is kept here')
    .option(
      '--config <file>',
      "with --agent: read this configuration instead of the user's and the project's",
    )
    .action(async (flags: TypedListFlags & TypedAgentListFlags) => {
      const typed = { ...flags, ...words };
      if (asksAgent(typed)) {
        if (flags.agentName !== undefined) {
          throw new CliError('usage', '--agent-name is for what is kept here');
        }
        const { listAgentSessions } = await import('./agent-sessions.ts');
        finish(await listAgentSessions(typed, surroundings));
        return;
      }
      const { listSessions } = await import('./list.ts');
      finish(await listSessions(flags, surroundings));
    });

  sessions
    .command('show')
    .description('Shows a session: what was said and done, who allowed it, and what came of it.')
    .argument('<ID>', 'its id, or how it begins')
    .option('--raw', 'the events of its event log, one JSON object a line')
    .action(async (id: string, flags: { readonly raw?: boolean }) => {
      const { showSession } = await import('./show.ts');
      finish(await showSession(id, flags, surroundings));
    });

  sessions
    .command('search')
    .description(
      'Looks through all sessions: what was said, asked, done and written. Status 1: nothing was found.',
    )
    .argument('<TEXT>', 'without a capital letter in it, capitals do not count')
    .option('--regex', 'the text is a regular expression, as in JavaScript')
    .option('--json', 'one JSON document: {"hits": […], "more": true or false}')
    .option('--cwd <dir>', 'only sessions of this folder')
    .option('--agent-name <name>', 'only sessions with this agent')
    .option('--limit <n>', 'how many hits at most (100)')
    .action(async (text: string, flags: TypedSearchFlags) => {
      const { searchSessions } = await import('./search.ts');
      finish(await searchSessions(text, flags, surroundings));
    });

  sessions
    .command('audit')
    .description(
      'Shows who allowed what, in all sessions or one. Status 1: the record is not as it was written; it says where.',
    )
    .argument('[SESSION]', 'its id, or how it begins')
    .option('--json', 'one JSON document: {"entries": […], "chain": {…}}')
    .option('--verify', 'shows no decisions, only whether the record is as it was written')
    .action(async (id: string | undefined, flags: TypedAuditFlags) => {
      const { auditSessions } = await import('./audit.ts');
      finish(await auditSessions(id, flags, surroundings));
    });

  sessions
    .command('export')
    .description('Writes a session for others to read; what has the form of a secret is taken out.')
    .argument('<ID>', 'its id, or how it begins')
    .option('--format <format>', 'markdown (default) or json')
    .option('--output <file>', 'a file; without it standard output')
    .action(async (id: string, flags: TypedExportFlags) => {
      const { exportSession } = await import('./export.ts');
      finish(await exportSession(id, flags, surroundings));
    });

  sessions
    .command('delete')
    .description('Deletes sessions for good; one that is open stays.')
    .argument('[ID...]', 'their ids, or how they begin')
    .option('--all', 'all sessions that are not open')
    .option('--older-than <age>', 'with --all: only those nothing was added to for so long: 12h, 30d, 4w')
    .option('--yes', 'without asking')
    .option('-a, --agent <name>', 'what this agent keeps itself, instead of what is kept here')
    .option(
      '--config <file>',
      "with --agent: read this configuration instead of the user's and the project's",
    )
    .action(async (ids: readonly string[], flags: TypedDeleteFlags & TypedAgentFlags) => {
      const typed = { ...flags, ...words };
      if (asksAgent(typed)) {
        if (flags.all === true || flags.olderThan !== undefined) {
          throw new CliError('usage', '--all and --older-than are for what is kept here');
        }
        const { deleteAgentSessions } = await import('./agent-sessions.ts');
        finish(await deleteAgentSessions(ids, typed, surroundings));
        return;
      }
      const { deleteSessions } = await import('./delete.ts');
      finish(await deleteSessions(ids, flags, surroundings));
    });

  sessions
    .command('load')
    .description('Takes the history of a session that an agent keeps into an event log here, and shows it.')
    .usage('--agent NAME ID\n       parley sessions load ID -- CMD ARG…')
    .argument('<ID>', 'what the agent calls it, or how that begins')
    .option('-a, --agent <name>', 'whose session it is')
    .option('--cwd <dir>', 'the folder of the session, where the agent does not list it')
    .option('--config <file>', "read this configuration instead of the user's and the project's")
    .action(async (id: string, flags: TypedAgentFlags) => {
      const { loadAgentSession } = await import('./agent-sessions.ts');
      finish(await loadAgentSession(id, { ...flags, ...words }, surroundings));
    });

  sessions
    .command('fork')
    .description('Begins a new session at an agent that knows what another one knows; prints its id.')
    .usage('--agent NAME ID\n       parley sessions fork ID -- CMD ARG…')
    .argument('<ID>', 'what the agent calls it, or how that begins')
    .option('-a, --agent <name>', 'whose session it is')
    .option('--cwd <dir>', 'the folder of the new session, where the agent does not list the old one')
    .option('--config <file>', "read this configuration instead of the user's and the project's")
    .action(async (id: string, flags: TypedAgentFlags) => {
      const { forkAgentSession } = await import('./agent-sessions.ts');
      finish(await forkAgentSession(id, { ...flags, ...words }, surroundings));
    });
}

const notes = `
An ID is the beginning of what the list shows, or of what the agent calls the session. With --agent NAME, or the command
line of an agent behind --, list, load, fork and delete are about what the agent keeps itself, where it offers that.

Examples:
  parley sessions list --cwd .
  parley sessions show 1a2b
  parley sessions search "off by one"
  parley sessions export 1a2b --output talk.md
  parley sessions load --agent claude 5f0c
  parley sessions delete --all --older-than 30d`;
