import type { QueuedPrompt } from '@parley/host/hub';
import { Paperclip } from 'lucide-react';
import type { ReactElement } from 'react';
import { editableText } from '../draft/draft.ts';
import { shownQueuedText } from '../limits.ts';
import { useText } from '../text/language.tsx';

/** The text of a queued prompt, and the number of its attachments. */
export function QueuedText({ queued }: { readonly queued: QueuedPrompt }): ReactElement {
  const { prompt } = useText();
  const text = editableText(queued.blocks);
  const attached = queued.blocks.length - (text === '' ? 0 : 1);
  return (
    <p className="queued-text">
      {text.slice(0, shownQueuedText)}
      {attached > 0 && (
        <span className="queued-attached soft small">
          <Paperclip size={12} aria-hidden /> {prompt.attached(attached)}
        </span>
      )}
    </p>
  );
}
