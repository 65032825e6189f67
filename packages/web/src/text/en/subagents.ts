/** The sub-agents of a session: their tree, and the conversation of one. */
export const subagents = {
  team: 'Agents to delegate to',
  teamHelp:
    'The agent can start these agents and wait for their answers. Default: the team of the configuration.',
  title: 'Sub-agents',
  working: (count: number, all: number): string => `${count} of ${all} working`,
  name: (title: string): string => `Sub-agent ${title}`,
  states: {
    running: 'Running',
    requires_action: 'Waiting for you',
    idle: 'Idle',
    unknown: 'State unknown',
  },
  tokens: (count: number): string => `${count.toLocaleString('en')} tokens`,
  back: 'Back to the session',
  stop: 'Stop',
  theSession: 'Session',
  message: (from: string, to: string): string => `${from} → ${to}`,
};
