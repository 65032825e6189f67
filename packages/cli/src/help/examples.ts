import type { Command } from 'commander';

/** Adds examples to the help of each command whose own notes contain none. */
export function addExamples(root: Command): void {
  addBelow(root, []);
}

function addBelow(command: Command, path: readonly string[]): void {
  const lines = examples[path.join(' ')];
  if (lines !== undefined) command.addHelpText('after', `\n${lines.join('\n')}`);
  for (const inner of command.commands) addBelow(inner, [...path, inner.name()]);
}

const begin = 'Examples:';

/** The examples in the help of each command, by its names. */
const examples: Readonly<Record<string, readonly string[]>> = {
  '': [
    'Get started:',
    "  parley chat                   chat with Parley's built-in agent; no API key needed",
    '  parley chat -a claude         chat with Claude Code',
    '  parley serve --open           use agents in the browser',
    '  parley run "search TODO"      send one prompt from a script',
    '  parley agents                 list agents',
    '  parley doctor                 find problems',
    '',
    '"parley COMMAND --help" explains a command.',
  ],
  chat: [
    'A message that you send during a turn waits until the turn ends; /queue shows',
    'and edits the waiting messages. Ctrl-C stops the turn, Ctrl-D exits, /help',
    'lists the commands.',
    '',
    begin,
    '  parley chat',
    '  parley chat -a gemini --cwd ~/src/app',
    '  parley chat --continue',
    '  parley chat --approve edits --mcp-config mcp.json',
    '  parley chat -- my-agent --acp',
  ],
  agent: [
    'In an editor that supports ACP, set the command "parley" and the arguments',
    '["agent"]. Connect a model with "parley models connect", or set OPENAI_API_KEY,',
    'ANTHROPIC_API_KEY or GEMINI_API_KEY. Without a model, the offline demo model',
    'answers.',
    '',
    'Exit status: 0 end of input or terminated, 1 failed, 2 wrong usage.',
    '',
    begin,
    '  parley agent --model anthropic/claude-sonnet-4-5',
    '  parley agent --resume',
    '  parley run "read README.md" -- parley agent',
  ],
  'agents list': [begin, '  parley agents list --json | jq -r ".agents[].name"'],
  'agents show': [begin, '  parley agents show claude'],
  'agents add': [
    begin,
    '  parley agents add mine -- node agent.mjs --acp',
    '  parley agents add far --url wss://example.com/acp',
    '  parley run -a mine "explain this folder"',
  ],
  'agents remove': [begin, '  parley agents remove mine'],
  'agents import': [begin, '  parley agents import registry.json'],
  'agents probe': [begin, '  parley agents probe gemini', '  parley agents probe mine --record probe.jsonl'],
  'models list': [begin, '  parley models list --json | jq -r ".providers[].id"'],
  'models connect': [
    begin,
    '  parley models connect anthropic',
    '  parley models connect local --base-url http://127.0.0.1:11434/v1 --model llama3 --no-key',
  ],
  'models disconnect': [begin, '  parley models disconnect anthropic'],
  'sessions list': [
    begin,
    '  parley sessions list --cwd . --limit 5',
    '  parley sessions list --agent claude',
  ],
  'sessions show': [begin, '  parley sessions show 1a2b', '  parley sessions show 1a2b --raw | jq .type'],
  'sessions search': [
    begin,
    '  parley sessions search "off by one"',
    String.raw`  parley sessions search --regex "TODO\(\w+\)" --json`,
  ],
  'sessions usage': [begin, '  parley sessions usage --days 7', '  parley sessions usage --cwd . --json'],
  'sessions audit': [
    begin,
    '  parley sessions audit 1a2b',
    '  parley sessions audit --verify',
    "  parley sessions audit --json | jq '.entries[].decision'",
  ],
  'sessions export': [
    begin,
    '  parley sessions export 1a2b --output talk.md',
    '  parley sessions export 1a2b --format json | jq .',
  ],
  'sessions delete': [
    begin,
    '  parley sessions delete 1a2b',
    '  parley sessions delete --all --older-than 30d --yes',
  ],
  'sessions copy': [
    begin,
    '  parley sessions copy --from ./sessions --to postgres://parley@db.example.com/parley',
    '  parley sessions copy --from postgres://parley@db.example.com/parley --to ./backup --json',
  ],
  'sessions load': [begin, '  parley sessions load --agent claude 5f0c'],
  'sessions fork': [
    begin,
    '  parley sessions fork --agent parley sess_01',
    '  parley chat --session sess_02                 continue with the printed id',
  ],
  'sessions rename': [begin, '  parley sessions rename --agent parley sess_01 "Fix the flaky test"'],
  'sessions archive': [
    begin,
    '  parley sessions archive --agent parley sess_01',
    '  parley sessions list --agent parley --archived',
  ],
  'sessions unarchive': [begin, '  parley sessions unarchive --agent parley sess_01'],
  'changes list': [begin, '  parley changes list', "  parley changes list --json | jq '.turns[].files'"],
  'changes diff': [
    begin,
    '  parley changes diff',
    '  parley changes diff --turn 2 src',
    '  parley changes diff --json',
  ],
  'changes undo': [
    begin,
    '  parley changes undo --dry-run',
    '  parley changes undo',
    '  parley changes undo --turn 2',
  ],
  'changes redo': [begin, '  parley changes redo --dry-run', '  parley changes redo'],
  'changes keep': [begin, '  parley changes keep --hunk 1f3a', '  parley changes diff --unreviewed'],
  'changes revert': [begin, '  parley changes revert --hunk 1f3a 9c02'],
  'changes commit': [begin, '  parley changes commit -m "Fix the parser"'],
  'worktrees list': [begin, "  parley worktrees list --json | jq '.worktrees[].name'"],
  'worktrees show': [begin, '  parley worktrees show fix', '  parley worktrees show fix | git apply'],
  'worktrees merge': [
    begin,
    '  parley worktrees merge fix',
    '  parley worktrees merge fix --commit -m "Fix the failing test"',
  ],
  'worktrees remove': [
    begin,
    '  parley worktrees remove fix',
    '  parley worktrees remove fix --discard',
    '  git branch fix refs/parley/saved/fix',
  ],
  'race adopt': [
    begin,
    '  parley race adopt bodu-31-claude',
    '  parley race adopt bodu-31-claude --commit -m "Fix the failing test"',
  ],
  permissions: [
    begin,
    '  parley permissions list',
    '  parley permissions explain "git push"',
    '  parley permissions revoke all',
    '  parley permissions trust',
  ],
  'permissions list': [begin, '  parley permissions list --cwd ~/src/app'],
  'permissions revoke': [begin, '  parley permissions revoke 1a2b3c4d', '  parley permissions revoke all'],
  'permissions trust': [begin, '  parley permissions trust --cwd ~/src/app'],
  doctor: [
    'Exit status: 0 no problems, 1 problems found.',
    '',
    begin,
    '  parley doctor',
    '  parley doctor --json | jq \'.findings[] | select(.level != "ok")\'',
  ],
  'serve tokens': [begin, '  parley serve tokens add ci --scope use', '  parley serve tokens revoke ci'],
  'serve tokens add': [begin, '  parley serve tokens add ci --scope use'],
  'serve tokens list': [begin, '  parley serve tokens list --json'],
  'serve tokens revoke': [begin, '  parley serve tokens revoke ci'],
  'serve devices': [begin, '  parley serve devices list', '  parley serve devices revoke Zl3kPq0aRt5x'],
  'serve devices list': [begin, '  parley serve devices list --json'],
  'serve devices revoke': [begin, '  parley serve devices revoke Zl3kPq0aRt5x'],
};
