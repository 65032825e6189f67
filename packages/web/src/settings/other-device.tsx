import { useState, type ReactElement } from 'react';
import { askApi } from '../hub/api.ts';
import { useHub } from '../hub/use-hub.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { useNotices } from '../parts/notices.tsx';
import { useLanguage, useText } from '../text/language.tsx';

interface SignInLink {
  readonly url: string;
  /** In milliseconds since 1970, or as a date in text. */
  readonly expiresAt: number | string;
}

/** Makes a link by which another browser comes in, once. */
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
