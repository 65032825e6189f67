import type { Command } from 'commander';

/** Puts examples below the help of each command that has none of its own. */
export function addExamples(root: Command): void {
  addBelow(root, []);
}

function addBelow(command: Command, path: readonly string[]): void {
  const lines = examples[path.join(' ')];
  if (lines !== undefined) command.addHelpText('after', `\n${lines.join('\n')}`);
  for (const inner of command.commands) addBelow(inner, [...path, inner.name()]);
}

const begin = 'Examples:';

/** What stands below the help of a command, by the names that lead to it. */
const examples: Readonly<Record<string, readonly string[]>> = {
  '': [
    'Begin here:',
    '  parley chat                          talk; without a key the offline model answers',
    '  parley run "search TODO"             one prompt, for scripts',
    '  parley agents                        which agents are here',
    '  parley chat -a claude                talk with one of them',
    '  parley doctor                        what is missing',
  ],
  chat: [
    'While a turn runs, what you type is sent when it has ended; /queue changes that. Ctrl-C stops the turn, Ctrl-D leaves.',
    '',
    begin,
    '  parley chat',
    '  parley chat -a gemini --cwd ~/src/app',
    '  parley chat --continue',
    '  parley chat --approve edits --mcp-config mcp.json',
    '  parley chat -- my-agent --acp',
  ],
  agent: [
    'An editor that speaks ACP starts it: command "parley", arguments ["agent"]. Models come from the environment:',
    'OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, …; without any, the embedded offline model answers.',
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
  'sessions load': [begin, '  parley sessions load --agent claude 5f0c'],
  'sessions fork': [
    begin,
    '  parley sessions fork --agent parley sess_01',
    '  parley chat --session sess_02                 goes on with the id it printed',
  ],
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
    '',
    begin,
    '  parley doctor',
    '  parley doctor --json | jq \'.findings[] | select(.level != "ok")\'',
  ],
  'serve tokens': ['', begin, '  parley serve tokens add ci --scope use', '  parley serve tokens revoke ci'],
  'serve tokens add': [begin, '  parley serve tokens add ci --scope use'],
  'serve tokens list': [begin, '  parley serve tokens list --json'],
  'serve tokens revoke': [begin, '  parley serve tokens revoke ci'],
};
