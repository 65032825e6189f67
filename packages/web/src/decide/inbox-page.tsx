import type { ReactElement } from 'react';
import { useDesk } from '../desk/use-desk.ts';
import { useText } from '../text/language.tsx';

/** The questions of all sessions. */
export function InboxPage(): ReactElement {
  const { decide } = useText();
  const { questions } = useDesk();
  return (
    <section>
      <h1>{decide.title}</h1>
      <p>{questions.length}</p>
    </section>
  );
}
