import { hubMethods } from '@parley/host/hub';
import { isWorking, type SubagentState } from '@parley/host/state';
import { ArrowLeft, Square } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { Honest } from '../parts/honest.tsx';
import { useText } from '../text/language.tsx';
import { subagentHref } from './subagent-address.ts';
import { WorkLine } from './subagent-tree.tsx';

/** The header of a sub-agent's conversation: its title, its state, and a link back. */
export function SubagentHead({
  sessionKey,
  subagent,
}: {
  readonly sessionKey: string;
  readonly subagent: SubagentState;
}): ReactElement {
  const { subagents: text } = useText();
  const { isObserver } = useHub();
  const client = useHubClient();
  const { sessionId, title, mayCancel } = subagent;
  return (
    <header className="subagent-head">
      <Link href={subagentHref(sessionKey)} className="button button-plain">
        <ArrowLeft size={16} aria-hidden />
        {text.back}
      </Link>
      <strong>
        <Honest text={text.name(title ?? sessionId)} />
      </strong>
      <WorkLine work={subagent.work} />
      {mayCancel && isWorking(subagent) && !isObserver && (
        <button
          type="button"
          className="button"
          onClick={() => {
            // What became of it is in the state of the sub-agent.
            client
              .ask(hubMethods.cancelSubagent, { sessionId: sessionKey, subagent: sessionId })
              .catch(() => undefined);
          }}
        >
          <Square size={16} aria-hidden />
          {text.stop}
        </button>
      )}
    </header>
  );
}
