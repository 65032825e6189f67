import type { ReactElement } from 'react';
import { KeyList } from '../parts/key-list.tsx';
import { useText } from '../text/language.tsx';

/** Which keys answer questions, for the list of all keys. */
export function QuestionKeys(): ReactElement {
  const { inbox } = useText();
  return <KeyList title={inbox.keysTitle} keys={inbox.keys} />;
}
