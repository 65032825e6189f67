import type { ReactElement } from 'react';
import { KeyList } from '../parts/key-list.tsx';
import { useText } from '../text/language.tsx';

/** Which keys review changes, for the list of all keys. */
export function ChangesKeys(): ReactElement {
  const { changes } = useText();
  return <KeyList title={changes.keysTitle} keys={changes.keys} />;
}
