/** The settings of this browser. */
export const settings = {
  appearance: 'Appearance',
  otherDevice: 'Sign in on another device',
  otherDeviceHelp:
    'Creates a link that signs in one browser, once. Scan its QR code with the camera of the other device.',
  qrCode: 'QR code of the sign-in link',
  scanCode:
    'Scan this code with the other device, and open the link. Notifications and installing require https.',
  onlyThisMachine:
    'This server listens on this machine only: another device cannot open the link. Put a proxy with TLS in front of the server, or restart it with',
  makeLink: 'Create link',
  makeAnotherLink: 'Create another link',
  copyLink: 'Copy link',
  linkObserver: 'Your token is read-only: it cannot create links.',
  linkEnds: (time: string): string => `Works once, until ${time}.`,
  push: 'Notifications while Parley is closed',
  pushHelp:
    'Sent to this browser by its push service, encrypted and without content. Not sent while you use a page of Parley. A click opens the session.',
  pushQuestion: 'When a session needs your input',
  pushFinished: 'When a turn is finished',
  pushUnsupported:
    'Not available in this browser. It requires https or localhost; on iPhone and iPad, add Parley to the Home Screen first.',
  pushUnknown: 'The devices could not be loaded. Open this page again when Parley is connected.',
  pushDevices: 'Devices that are notified',
  pushThis: '(this browser)',
  pushUnnamed: 'Unnamed device',
  pushSince: (date: string, token: string): string => `since ${date}, token “${token}”`,
  pushRevoke: 'Revoke',
  access: 'Access',
  knownAs: (user: string): string => `Others see your decisions as made by “${user}”.`,
  signOutHelp: 'Signs out this browser only. Running sessions continue.',
  about: 'About',
  recordings: 'Open a recording',
  programs: 'Endpoints for programs: AAP, ACP, metrics',
};
