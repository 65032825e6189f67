import type { ReactElement } from 'react';
import { askApi } from '../hub/api.ts';
import { useNotices } from '../parts/notices.tsx';
import { useText } from '../text/language.tsx';

/** Signs this browser out. */
export function SignOut(): ReactElement {
  const { shell, settings } = useText();
  const { attempt } = useNotices();
  const signOut = async (): Promise<void> => {
    await askApi('/api/sign-out', { method: 'POST' });
    location.assign('/sign-in');
  };
  return (
    <>
      <p className="soft">{settings.signOutHelp}</p>
      <p>
        <button type="button" className="button" onClick={() => void attempt(signOut())}>
          {shell.signOut}
        </button>
      </p>
    </>
  );
}
