import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';

/** What went over the wire between the host and the agent of a session. */
export function InspectorPage({ sessionKey }: { readonly sessionKey: string }): ReactElement {
  const { inspector } = useText();
  return (
    <section>
      <h1>{inspector.title}</h1>
      <p>{sessionKey}</p>
    </section>
  );
}
