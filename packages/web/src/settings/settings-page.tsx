import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { AlertSettings } from '../alerts/alert-settings.tsx';
import { useHub } from '../hub/use-hub.ts';
import { SendKeyChoice } from '../prompt/send-key-choice.tsx';
import { PushSettings } from '../push/push-settings.tsx';
import { useText } from '../text/language.tsx';
import { Appearance } from './appearance.tsx';
import { OtherDevice } from './other-device.tsx';
import { SignOut } from './sign-out.tsx';
import './settings-page.css';

/** The settings of this browser, and a link to sign in on another device. */
export function SettingsPage(): ReactElement {
  const { shell, settings, prompt, inbox, usage, machines } = useText();
  const { person, version, isAdmin, isObserver } = useHub();
  return (
    <section className="page settings">
      <h1>{shell.settings}</h1>
      <section aria-labelledby="settings-appearance">
        <h2 id="settings-appearance">{settings.appearance}</h2>
        <Appearance />
      </section>
      <section aria-labelledby="settings-prompt">
        <h2 id="settings-prompt">{prompt.title}</h2>
        <div className="settings-choices">
          <SendKeyChoice />
        </div>
      </section>
      <section aria-labelledby="settings-alerts">
        <h2 id="settings-alerts">{inbox.alerts}</h2>
        <AlertSettings />
      </section>
      <section aria-labelledby="settings-push">
        <h2 id="settings-push">{settings.push}</h2>
        <PushSettings />
      </section>
      {(isAdmin || isObserver) && (
        <section aria-labelledby="settings-permissions">
          <h2 id="settings-permissions">{inbox.permissions}</h2>
          <p className="soft">{inbox.permissionsHelp}</p>
          <p>
            <Link href="/permissions" className="button">
              {inbox.showPermissions}
            </Link>
          </p>
        </section>
      )}
      <section aria-labelledby="settings-usage">
        <h2 id="settings-usage">{usage.title}</h2>
        <p className="soft">{usage.help}</p>
        <p>
          <Link href="/usage" className="button">
            {usage.show}
          </Link>
        </p>
      </section>
      <section aria-labelledby="settings-machines">
        <h2 id="settings-machines">{machines.title}</h2>
        <p className="soft">{machines.help}</p>
        <p>
          <Link href="/machines" className="button">
            {machines.show}
          </Link>
        </p>
      </section>
      <section aria-labelledby="settings-device">
        <h2 id="settings-device">{settings.otherDevice}</h2>
        <OtherDevice />
      </section>
      <section aria-labelledby="settings-access">
        <h2 id="settings-access">{settings.access}</h2>
        {person !== '' && <p className="soft">{settings.knownAs(person)}</p>}
        <SignOut />
      </section>
      <section aria-labelledby="settings-about">
        <h2 id="settings-about">{settings.about}</h2>
        {version !== '' && <p>Parley {version}</p>}
        <p>
          <a href="/programs">{settings.programs}</a>
        </p>
        <p>
          <Link href="/inspector">{settings.recordings}</Link>
        </p>
      </section>
    </section>
  );
}
