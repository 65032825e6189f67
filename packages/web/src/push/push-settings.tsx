import { useEffect, useState, type ReactElement } from 'react';
import { notePermission } from '../alerts/system-notes.ts';
import { useHub } from '../hub/use-hub.ts';
import { useNotices } from '../parts/notices.tsx';
import { useLanguage, useText } from '../text/language.tsx';
import {
  hasPush,
  listDevices,
  revoke,
  subscribe,
  unsubscribe,
  type ListedDevice,
  type PushDevices,
  type PushKind,
} from './push-device.ts';
import { rememberPushed } from './use-pushed.ts';

/** Chooses what this device is notified of while the page is closed, and lists and revokes devices. */
export function PushSettings(): ReactElement {
  /** Undefined while the server is asked. */
  const [known, setKnown] = useState<PushDevices | 'unknown'>();
  useEffect(() => void listOwn().then(setKnown), []);
  const { settings, inbox, shell } = useText();
  const { isObserver } = useHub();
  const { attempt } = useNotices();
  const [isBusy, setIsBusy] = useState(false);
  const [isDenied, setIsDenied] = useState(notePermission() === 'denied');
  if (known === undefined || known === 'unknown') {
    return <p className="soft">{known === undefined ? shell.loading : settings.pushUnknown}</p>;
  }

  const { publicKey, devices } = known;
  const own = devices.find(({ isThis }) => isThis === true);
  const kinds = own?.kinds ?? [];
  const change = async (run: () => Promise<void>): Promise<void> => {
    setIsBusy(true);
    try {
      await run();
    } finally {
      setKnown(await listOwn());
      setIsBusy(false);
    }
  };
  const choose = async (kind: PushKind, isWanted: boolean): Promise<void> => {
    const wanted = isWanted ? [...kinds, kind] : kinds.filter((other) => other !== kind);
    if (wanted.length === 0 && own !== undefined) return await revoke(own);
    if ((await Notification.requestPermission()) !== 'granted') {
      setIsDenied(notePermission() === 'denied');
      return undefined;
    }
    return await subscribe(publicKey, wanted);
  };
  const isOff = !hasPush() || isDenied || isBusy;
  const tick = (kind: PushKind, label: string): ReactElement => (
    <label className="form-choice">
      <input
        type="checkbox"
        checked={kinds.includes(kind)}
        disabled={isOff}
        onChange={({ target: { checked } }) => void attempt(change(() => choose(kind, checked)))}
      />
      {label}
    </label>
  );
  return (
    <>
      <p className="soft">{settings.pushHelp}</p>
      {!hasPush() && <p className="soft">{settings.pushUnsupported}</p>}
      {isDenied && <p className="soft">{inbox.alertsDenied}</p>}
      {!isObserver && tick('question', settings.pushQuestion)}
      {tick('finished', settings.pushFinished)}
      {devices.length > 0 && (
        <DeviceList
          devices={devices}
          isBusy={isBusy}
          onRevoke={(device) => void attempt(change(() => revoke(device)))}
        />
      )}
    </>
  );
}

interface DeviceListProps {
  readonly devices: readonly ListedDevice[];
  readonly isBusy: boolean;
  readonly onRevoke: (device: ListedDevice) => void;
}

function DeviceList({ devices, isBusy, onRevoke }: DeviceListProps): ReactElement {
  const { settings } = useText();
  const { language } = useLanguage();
  return (
    <ul className="settings-devices" aria-label={settings.pushDevices}>
      {devices.map((device) => {
        const { id, name, createdAt, token, isThis } = device;
        const label = name === '' ? settings.pushUnnamed : name;
        return (
          <li key={id}>
            <span>
              {label} {isThis === true && <strong>{settings.pushThis}</strong>}
              <span className="small soft">
                {settings.pushSince(new Date(createdAt).toLocaleDateString(language), token)}
              </span>
            </span>
            <button
              type="button"
              className="button"
              disabled={isBusy}
              aria-label={`${settings.pushRevoke} ${label}`}
              onClick={() => onRevoke(device)}
            >
              {settings.pushRevoke}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

async function listOwn(): Promise<PushDevices | 'unknown'> {
  try {
    const listed = await listDevices();
    const own = listed.devices.find(({ isThis }) => isThis === true);
    rememberPushed(own?.kinds ?? []);
    // It may have been revoked on another device.
    if (own === undefined && hasPush()) await unsubscribe();
    return listed;
  } catch {
    // The connection notice says why.
    return 'unknown';
  }
}
