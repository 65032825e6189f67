import { toAddress } from '@parley/host/state';
import { ExternalLink } from 'lucide-react';
import type { ReactElement } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { Answers } from '../question/answers.tsx';
import { isTooEarly } from '../question/reading-time.ts';
import { useText } from '../text/language.tsx';
import { AddressText } from './address-text.tsx';
import { LeaveButtons } from './leave-buttons.tsx';

/** An address that an agent wants to be opened. */
export interface AddressCardProps {
  readonly url: string;
  readonly isBusy: boolean;
  readonly steadySince: () => number;
  readonly onDone: () => void;
  readonly onLeave: (action: 'decline' | 'cancel') => void;
}

/** The complete address, and a link that opens it in an isolated tab. */
export function AddressCard({ url, isBusy, steadySince, onDone, onLeave }: AddressCardProps): ReactElement {
  const { inbox } = useText();
  const address = toAddress(url);
  return (
    <>
      <AddressText address={address} />
      <Answers>
        {address.isPage && (
          <a
            className="button button-primary permission-action"
            href={url}
            target="_blank"
            rel="noopener noreferrer nofollow"
            onClick={(event) => {
              if (isTooEarly(steadySince(), performance.now())) event.preventDefault();
            }}
          >
            <ExternalLink size={16} aria-hidden /> {inbox.openAddress}
          </a>
        )}
        <CopyButton text={url} label={inbox.copyAddress} />
        <button type="button" className="button permission-action" aria-disabled={isBusy} onClick={onDone}>
          {inbox.done}
        </button>
        <LeaveButtons isBusy={isBusy} onLeave={onLeave} />
      </Answers>
    </>
  );
}
