import { useState, type ReactElement } from 'react';
import { askApi } from '../hub/api.ts';
import { useHub } from '../hub/use-hub.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { later } from '../parts/later.tsx';
import { useNotices } from '../parts/notices.tsx';
import { useLanguage, useText } from '../text/language.tsx';

// Few open it, and it draws with a library.
const QrCode = later(async () => (await import('../parts/qr-code.tsx')).QrCode);

interface SignInLink {
  readonly url: string;
  /** In milliseconds since 1970, or as a date in text. */
  readonly expiresAt: number | string;
  /** Whether other machines can reach the server. */
  readonly reach: 'this-machine' | 'network';
}

/** Creates a link that signs in one other browser, once. */
export function OtherDevice(): ReactElement {
  const { settings } = useText();
  const { language } = useLanguage();
  const { isObserver } = useHub();
  const { attempt } = useNotices();
  const [link, setLink] = useState<SignInLink>();
  const make = async (): Promise<void> => {
    setLink(await askApi<SignInLink>('/api/sign-in-links', { method: 'POST' }));
  };
  if (isObserver) return <p className="soft">{settings.linkObserver}</p>;
  return (
    <>
      <p className="soft">{settings.otherDeviceHelp}</p>
      {link !== undefined && (
        <div className="settings-link">
          {link.reach === 'network' ? (
            <>
              <QrCode text={link.url} label={settings.qrCode} />
              <p className="small soft">{settings.scanCode}</p>
            </>
          ) : (
            <p>
              {settings.onlyThisMachine}{' '}
              <code>parley serve --host 0.0.0.0 --tls-cert FILE --tls-key FILE</code>
            </p>
          )}
          <code>{link.url}</code>
          <CopyButton text={link.url} label={settings.copyLink} isLabelShown />
          <p className="small soft">
            {settings.linkEnds(new Date(link.expiresAt).toLocaleTimeString(language, { timeStyle: 'short' }))}
          </p>
        </div>
      )}
      <p>
        <button type="button" className="button" onClick={() => void attempt(make())}>
          {link === undefined ? settings.makeLink : settings.makeAnotherLink}
        </button>
      </p>
    </>
  );
}
