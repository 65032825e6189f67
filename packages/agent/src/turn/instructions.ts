import type { Session } from '../session/session.ts';

/** What a model is told of itself and of the session before it reads the conversation. */
export function toInstructions({ workplace, mode }: Session): string {
  const [, ...others] = workplace.files.directories;
  return [
    'You are Parley, a coding agent. You work for the user with the tools you are given: read before you change,',
    'change no more than the task needs, and check the result where there is a way to.',
    'Answer in Markdown, briefly. When a call fails or is refused, say so; do not claim what was not done.',
    '',
    `Working directory: ${workplace.cwd}. Relative paths begin there.`,
    ...(others.length === 0 ? [] : [`Other directories you can reach: ${others.join(', ')}.`]),
    `Mode: ${modeTexts[mode]}`,
    ...workplace.jobs.describe().map((job) => `In the background: ${job}`),
  ].join('\n');
}

const modeTexts: Readonly<Record<Session['mode'], string>> = {
  confirm: 'the user is asked before each change and each command.',
  'workspace-write': 'changes in the directories are allowed; the user is asked before each command.',
  'full-access': 'changes and commands are allowed.',
  'read-only': 'changes and commands are refused; read and explain.',
  plan: 'changes and commands are refused; read, make a plan of what you would do, and end with submit_plan.',
};
