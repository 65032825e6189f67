import { at, type SessionState } from '@parley/host/state';
import { use, useEffect, useRef, useState, type ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { happenings, summarise, type Happening, type Summary } from './announcement.ts';
import { PlaceContext } from './conversation-context.ts';
import { describeEnd } from './turn-ending.ts';

/** How long announcements for screen readers are batched. */
const gatherMs = 1500;

/** Announces events of a session to screen readers, without each word of the agent. */
export function Announcer({ view }: { readonly view: SessionState }): ReactElement {
  const { conversation: text } = useText();
  const { agentName } = use(PlaceContext);
  const [said, setSaid] = useState('');
  const latest = useRef(view);
  const known = useRef<Summary>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = view;
    known.current ??= summarise(view);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const before = known.current;
      const after = summarise(latest.current);
      known.current = after;
      const fresh = before === undefined ? [] : happenings(before, after);
      if (fresh.length > 0) {
        setSaid(text.sentences(fresh.map((each) => toWords(each, latest.current))));
      }
    }, gatherMs);
    const toWords = (happening: Happening, { turns }: SessionState): string => {
      switch (happening.kind) {
        case 'began':
          return text.announce.answering(agentName);
        case 'calls':
          return text.announce.calls(happening.done, happening.failed);
        case 'ended': {
          const turn = at(turns, turns.length - 1);
          return text.announce.ended(turn === undefined ? '' : text.sentences(describeEnd(turn, text)));
        }
      }
    };
  }, [view, text, agentName]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return <output className="visually-hidden">{said}</output>;
}
