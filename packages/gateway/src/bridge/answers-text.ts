import type { CallAnswer } from '@parley/aap/server';
import { contentText } from './history-text.ts';

/**
 * What was decided while the agent that had asked was gone, in words: no protocol has a way to answer a question of an agent
 * that is not there any more.
 */
export function answersText(answers: readonly CallAnswer[]): string {
  return [
    'The session was interrupted while you waited for answers. They are here now; go on from where you were.',
    ...answers.map(toText),
  ].join('\n\n');
}

function toText(answer: CallAnswer): string {
  const { name, input } = answer.call;
  const call = `${name} ${JSON.stringify(input)}`;
  switch (answer.kind) {
    case 'granted':
      return `Allowed, and not done yet: ${call}. Do it now, once, exactly so.`;
    case 'denied':
      return `Not allowed: ${call}.${answer.reason === undefined ? '' : ` ${answer.reason}`} Do not do it.`;
    case 'result':
      return `The tool call ${call} returned:\n\n${contentText(answer.content)}`;
  }
}
