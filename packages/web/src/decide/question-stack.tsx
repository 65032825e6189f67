import type { View } from '@parley/host/view';
import type { ReactElement } from 'react';
import { useDesk } from '../desk/use-desk.ts';

/** What a session waits for. */
export interface QuestionStackProps {
  readonly sessionKey: string;
  readonly view: View;
}

/** The questions of one session, the oldest first. */
export function QuestionStack({ sessionKey }: QuestionStackProps): ReactElement | null {
  const questions = useDesk().questions.filter(({ key }) => key === sessionKey);
  if (questions.length === 0) return null;
  return (
    <ul>
      {questions.map(({ requestId, kind }) => (
        <li key={requestId}>{kind}</li>
      ))}
    </ul>
  );
}
