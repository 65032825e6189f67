import type { Address, AddressOddity } from '@parley/host/state';
import { TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { Honest } from '../parts/honest.tsx';
import { useText } from '../text/language.tsx';

/** A complete address that emphasizes its host and names anything unusual. It is not a link. */
export function AddressText({ address }: { readonly address: Address }): ReactElement {
  const { inbox } = useText();
  const { before, shownHost, after, host, oddities } = address;
  const odd: Readonly<Record<AddressOddity, string>> = {
    invalid: inbox.addressInvalid,
    'not-encrypted': inbox.addressNotEncrypted,
    'not-a-page': inbox.addressNotAPage,
    'user-info': inbox.addressUserInfo(host),
    'other-letters': inbox.addressOtherLetters(host),
    hidden: inbox.addressHidden,
  };
  return (
    <div>
      <p className="call-address">
        <span className="soft">
          <Honest text={before} />
        </span>
        <strong>
          <Honest text={shownHost} />
        </strong>
        <Honest text={after} />
      </p>
      {oddities.length > 0 && (
        <ul className="question-warnings">
          {oddities.map((oddity) => (
            <li key={oddity} className="question-warning">
              <TriangleAlert size={16} aria-hidden /> {odd[oddity]}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
