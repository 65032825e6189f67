import { Command, CommanderError } from 'commander';
import { addAgentsCommand } from './agents/agents-command.ts';
import { CliError } from './cli-error.ts';
import type { TypedConversationFlags } from './conversation/flags.ts';
import { exitStatus } from './exit-status.ts';
import { addExamples } from './help/examples.ts';
import type { ExplainFlags } from './permissions/explain.ts';
import type { ListFlags } from './permissions/list.ts';
import type { TrustFlags } from './permissions/trust.ts';
import { addProxyCommand } from './proxy/proxy-command.ts';
import { addRecordingCommands } from './recordings/recording-commands.ts';
import type { TypedRunFlags } from './run/flags.ts';
import { addServeCommand } from './serve/serve-command.ts';
import { addSessionsCommand } from './sessions/sessions-command.ts';
import type { Surroundings } from './surroundings.ts';
import { readVersion } from './version.ts';

/** Reads the command line and runs the command it names. Gives the exit status. */
export async function program(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const dashes = words.indexOf('--');
  const own = dashes < 0 ? words : words.slice(0, dashes);
  // What stands behind `--` is another program's command line: nothing of it is ours to read.
  const command = dashes < 0 ? {} : { command: words.slice(dashes + 1) };
  const { root, status } = createProgram(command, surroundings);
  if (words.length === 0) {
    surroundings.stderr.write(root.helpInformation());
    return exitStatus.usage;
  }
  try {
    await root.parseAsync(own, { from: 'user' });
    return status();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitStatus.done;
    const usage = new CliError('usage', toLine(error.message, root, own[0]));
    if (own[0] === 'run' && wantsJson(own)) {
      const { refuseRun } = await import('./run/refuse-run.ts');
      await refuseRun(usage, surroundings);
    }
    throw usage;
  }
}

function createProgram(
  command: { readonly command?: readonly string[] },
  surroundings: Surroundings,
): { readonly root: Command; readonly status: () => number } {
  let status: number = exitStatus.done;
  const root = new Command('parley')
    .description('Any coding agent, from any client.')
    .version(readVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => surroundings.stdout.write(text),
      // What is wrong is said by whoever catches it, in one line.
      writeErr: () => undefined,
    });

  addServeCommand(root, {
    surroundings,
    finish: (ended) => {
      status = ended;
    },
  });

  withConversationOptions(
    root
      .command('run')
      .summary('one prompt, one turn, for scripts and CI')
      .description('Sends one prompt to an agent and prints what it does until its turn ends.')
      .usage('[options] [PROMPT] [-- CMD ARG…]')
      .argument('[PROMPT]', 'the prompt; "-" or none reads it from standard input'),
  )
    .option('--file <file>', 'read the prompt from a file')
    .option('--image <file>', 'attach a picture (repeatable)', collect)
    .option('--format <text|quiet|json>', 'quiet: only the final message; json: one event a line')
    .option('--on-ask <fail>', 'cancel the turn when something needs a person and nobody is there')
    .option('--timeout <seconds>', 'cancel the turn so long after the start of the command')
    .option('--idle-timeout <seconds>', 'cancel the turn when the agent says nothing for so long')
    .addHelpText('after', runNotes)
    .action(async (prompt: string | undefined, flags: Omit<TypedRunFlags, 'prompt' | 'command'>) => {
      const { run } = await import('./run/run.ts');
      status = await run({ ...flags, ...command, ...(prompt !== undefined && { prompt }) }, surroundings);
    });

  withConversationOptions(
    root
      .command('chat')
      .summary('a conversation in the terminal')
      .description('Talks with an agent, line by line.')
      .usage('[options] [-- CMD ARG…]'),
  ).action(async (flags: Omit<TypedConversationFlags, 'command'>) => {
    const { chat } = await import('./chat/chat.ts');
    status = await chat({ ...flags, ...command }, surroundings);
  });

  withPermissions(root, surroundings, (gained) => {
    status = gained;
  });

  // Only for the help: `main` goes to the agent without coming by here.
  root
    .command('agent')
    .summary("Parley's own agent, as an ACP agent on stdio")
    .description(
      "Parley's own coding agent, for an editor or another client: ACP on standard input and output.",
    )
    .option(
      '--resume [id]',
      'go on with this session, or the last one in the folder, at the first session/new',
    )
    .option('--model <id>', 'PROVIDER/MODEL that sessions begin with')
    .option('--dialect <name>', 'agentao: answer with its error codes where they differ from the protocol');

  addSessionsCommand(root, {
    surroundings,
    ...command,
    finish: (ended) => {
      status = ended;
    },
  });

  addAgentsCommand(root, {
    surroundings,
    ...command,
    finish: (ended) => {
      status = ended;
    },
  });
  addRecordingCommands(root, {
    surroundings,
    finish: (ended) => {
      status = ended;
    },
  });
  addProxyCommand(root, {
    surroundings,
    finish: (ended) => {
      status = ended;
    },
  });

  root
    .command('doctor')
    .summary('what is installed, configured and wrong')
    .description(
      'Looks at this machine, the configuration, the agents and the models; says what to do about each problem.',
    )
    .option('--json', 'one JSON document: {"ok", "findings": [{"level", "topic", "message", "advice"?}]}')
    .addHelpText(
      'after',
      '\nExit status: 0 nothing is wrong, 1 something is. Keys and other values are never shown.',
    )
    .action(async (flags: { readonly json?: boolean }) => {
      const { doctor } = await import('./doctor/doctor.ts');
      status = await doctor(flags, surroundings);
    });

  root
    .command('completion')
    .summary('for bash, zsh, fish')
    .description('Prints a script with which a shell completes commands, flags, and the names of agents.')
    .argument('<bash|zsh|fish>')
    .addHelpText('after', completionNotes)
    .action(async (shell: string) => {
      const { completion } = await import('./completion/completion.ts');
      status = await completion(shell, root, surroundings);
    });

  addExamples(root);
  return { root, status: () => status };
}

function withPermissions(root: Command, surroundings: Surroundings, end: (status: number) => void): void {
  const permissions = root
    .command('permissions')
    .summary('what is allowed, and who decided so')
    .description('Shows and changes what agents are allowed to do.');

  permissions
    .command('list')
    .summary('remembered answers, trusted files, and the rules that hold here')
    .description(
      'Lists the answers that are remembered, the files that are trusted, and the rules that hold in a folder.',
    )
    .option('--cwd <dir>', 'the folder')
    .option('--json', 'one JSON document')
    .action(async (flags: ListFlags) => {
      const { listPermissions } = await import('./permissions/list.ts');
      end(await listPermissions(flags, surroundings));
    });

  permissions
    .command('revoke')
    .summary('take back a remembered answer, or the trust in a file')
    .description(
      'Takes back one remembered answer, the trust in one file, or all of them. It counts from the next question on.',
    )
    .argument('<id>', 'as parley permissions list shows it, or "all"')
    .action(async (id: string) => {
      const { revokePermission } = await import('./permissions/revoke.ts');
      end(await revokePermission(id, surroundings));
    });

  permissions
    .command('explain')
    .summary('what would be decided about a command, a file or an address, and why')
    .description('Says what would be decided about a command, a file or an address, and which rules say so.')
    .argument('<command-or-path>', 'a command (in quotes), a path, or an address that begins with https://')
    .option('-a, --agent <name>', 'as done by this agent')
    .option('--kind <kind>', 'what is done: execute, fetch, read, edit, delete, move or search')
    .option('--cwd <dir>', 'the folder of the session')
    .option('--config <file>', "read this configuration instead of the person's and the project's")
    .option('--json', 'one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  parley permissions explain "git push && npm publish"
  parley permissions explain src/main.ts
  parley permissions explain --kind delete notes.txt
  parley permissions explain --agent codex https://example.com/`,
    )
    .action(async (typed: string, flags: ExplainFlags) => {
      const { explainPermission } = await import('./permissions/explain.ts');
      end(await explainPermission(typed, flags, surroundings));
    });

  permissions
    .command('trust')
    .summary("let a project's configuration add agents and allow things")
    .description(
      "Shows what the project's .parley/config.json wants beyond narrowing, and trusts the file, as it is now.",
    )
    .option('--cwd <dir>', 'a folder of the project')
    .option('--yes', 'do not ask')
    .action(async (flags: TrustFlags) => {
      const { trustProject } = await import('./permissions/trust.ts');
      end(await trustProject(flags, surroundings));
    });
}

function withConversationOptions(command: Command): Command {
  return command
    .option(
      '-a, --agent <name>',
      'an agent by its name ("parley agents" lists them), or the https:// or wss:// of a remote one',
    )
    .option('--cwd <dir>', 'the folder of the session')
    .option('--add-dir <dir>', 'a further folder the session may use (repeatable)', collect)
    .option('--mcp-config <file>', 'MCP servers for the session')
    .option('--mode <id>', 'the mode of the session')
    .option('--model <id>', 'the model of the session')
    .option('--set <id=value>', 'a config option of the session (repeatable)', collect)
    .option('--continue', 'go on with the last session in this folder')
    .option('--session <id>', 'go on with this session')
    .option('--approve <reads|edits|all|none>', 'what is allowed without asking')
    .option('--record <file>', 'write every message in both directions to a file')
    .option('--config <file>', "read this configuration instead of the person's and the project's");
}

const runNotes = `
Behind -- stands the command line of an ACP agent; without it, and without --agent, the configured default runs.

Exit status: 0 done, 1 agent or connection failed, 2 wrong usage or configuration, 3 a permission or an answer was
needed and nobody was there, 4 max_turn_requests, 5 refusal, 6 max_tokens, 7 authentication needed, 124 timeout,
130 interrupted, 143 terminated.

Examples:
  parley run "search TODO"
  parley run --approve edits "write notes.txt: hello"
  parley run --format json "explain this" -- my-agent --acp`;

const completionNotes = `
In ~/.bashrc:      source <(parley completion bash)
In ~/.zshrc:       source <(parley completion zsh)     behind compinit
In config.fish:    parley completion fish | source`;

function collect(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}

/** The message of a usage error in one line, with where to look. */
function toLine(message: string, root: Command, name: string | undefined): string {
  // A command that only has commands of its own was given none of them.
  const said = message === '(outputHelp)' ? `${name ?? ''}: expected one of its commands` : message;
  const line = said
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll(/\s*\n\s*/g, ' ');
  const command = root.commands.find((candidate) => candidate.name() === name);
  const help = command === undefined ? 'parley --help' : `parley ${command.name()} --help`;
  return `${line}; see ${help}`;
}

/** Whether events were asked for, as far as can be seen of flags that could not be read. */
function wantsJson(words: readonly string[]): boolean {
  return words.some(
    (word, index) => word === '--format=json' || (word === '--format' && words[index + 1] === 'json'),
  );
}
