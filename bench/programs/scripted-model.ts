/** The file that each step of a scripted turn reads. */
export const notesName = 'notes.txt';

/** What that file holds: a small source file's worth of lines. */
export const notesText = Array.from({ length: 80 }, (_, line) => `${line + 1}: the quick brown fox\n`).join(
  '',
);

/** One response of the scripted model: it says something, and wants a tool called until it is done. */
export interface ScriptedResponse {
  readonly text: string;
  /** Reads the file from this line on. */
  readonly call?: { readonly id: string; readonly path: string; readonly line: number };
}

/** The model of a measured turn: the prompt is a number of steps, and each step reads the file from another line on. */
export function respondTo(prompt: string, doneSteps: number): ScriptedResponse {
  if (doneSteps >= Number(prompt)) return { text: 'That is all.' };
  const line = (doneSteps % 70) + 1;
  return { text: `Step ${doneSteps}.`, call: { id: `${doneSteps} of ${prompt}`, path: notesName, line } };
}
