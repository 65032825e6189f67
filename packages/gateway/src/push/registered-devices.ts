import type { ListPlace } from '@parley/workspace';
import type { PushKind } from './push-device.ts';
import { PushFile } from './push-file.ts';

/** A device that asked for notifications, without the URL and keys by which it is reached. */
export interface RegisteredDevice {
  readonly id: string;
  /** Such as `Chrome, Android`; empty if the browser sent none. */
  readonly name: string;
  readonly kinds: readonly PushKind[];
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Lists the devices in a server's file. Throws a `WorkspaceError` if other users can read it. */
export async function listDevices(place: ListPlace): Promise<readonly RegisteredDevice[]> {
  const devices = await new PushFile(place).devices();
  return devices.map(({ id, name, kinds, createdAt }) => ({ id, name, kinds, createdAt }));
}

/** Revokes a device; a running server sends it nothing more. Returns whether the file had it. */
export async function revokeDevice(place: ListPlace, id: string): Promise<boolean> {
  const file = new PushFile(place);
  // A file that does not exist is not created.
  if (!(await file.devices()).some((device) => device.id === id)) return false;
  await file.change((devices) => devices.filter((device) => device.id !== id));
  return true;
}
