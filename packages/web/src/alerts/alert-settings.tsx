import { useState, type ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { ring } from './ring.ts';
import { notePermission } from './system-notes.ts';
import { useAlertChoice, type AlertKind } from './use-alert-choice.ts';

/** Chooses the notifications for a page in the background. The browser is asked only when one is enabled. */
export function AlertSettings(): ReactElement {
  const { inbox } = useText();
  const [permission, setPermission] = useState(notePermission);
  const allow = async (): Promise<boolean> => {
    if (notePermission() === 'default') await Notification.requestPermission();
    setPermission(notePermission());
    return notePermission() === 'granted';
  };
  const isOff = permission === 'unsupported' || permission === 'denied';
  return (
    <div className="alert-settings">
      <p className="soft">{inbox.alertsHelp}</p>
      {permission === 'unsupported' && <p className="soft">{inbox.alertsUnsupported}</p>}
      {permission === 'denied' && <p className="soft">{inbox.alertsDenied}</p>}
      <AlertTick kind="questions" label={inbox.alertQuestions} isOff={isOff} allow={allow} />
      <AlertTick kind="turns" label={inbox.alertTurns} isOff={isOff} allow={allow} />
      <AlertTick
        kind="sound"
        label={inbox.alertSound}
        isOff={false}
        allow={async () => {
          ring();
          return true;
        }}
      />
    </div>
  );
}

interface AlertTickProps {
  readonly kind: AlertKind;
  readonly label: string;
  /** The browser does not let it. */
  readonly isOff: boolean;
  /** Asks the browser, when it is ticked. */
  readonly allow: () => Promise<boolean>;
}

function AlertTick({ kind, label, isOff, allow }: AlertTickProps): ReactElement {
  const [isWanted, choose] = useAlertChoice(kind);
  const change = async (isTicked: boolean): Promise<void> => choose(isTicked && (await allow()));
  return (
    <label className="form-choice">
      <input
        type="checkbox"
        checked={isWanted && !isOff}
        disabled={isOff}
        onChange={({ target: { checked } }) => void change(checked)}
      />
      {label}
    </label>
  );
}
