import type { HubSession } from '@parley/host/hub';
import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { QueuedText } from './queued-text.tsx';
import './queue-list.css';

/** The prompts that wait, for clients with read-only access. */
export function ReadOnlyQueue({
  session: { queue, isQueueHeld },
}: {
  readonly session: Pick<HubSession, 'queue' | 'isQueueHeld'>;
}): ReactElement | null {
  const { prompt } = useText();
  if (queue.length === 0) return null;
  const title = prompt.queueTitle(queue.length);
  return (
    <section className="queue" aria-label={title}>
      <header className="queue-head">
        <p>
          <strong>{title}</strong>{' '}
          <span className="soft small">{isQueueHeld === true ? prompt.queueHeld : prompt.queueHelp}</span>
        </p>
      </header>
      {/* It can be scrolled, also with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ol className="queue-list" tabIndex={0} aria-label={title}>
        {queue.map((queued, index) => (
          <li key={queued.id} className="queued" aria-label={prompt.queued(index + 1)}>
            <QueuedText queued={queued} />
          </li>
        ))}
      </ol>
    </section>
  );
}
