/** The settings of this browser. */
export const settings = {
  appearance: 'Appearance',
  otherDevice: 'Sign in on another device',
  otherDeviceHelp:
    'Makes a link that signs in one browser, once. The device has to reach this server under the same address.',
  makeLink: 'Make a link',
  makeAnotherLink: 'Make another link',
  copyLink: 'Copy the link',
  linkObserver: 'You signed in with a read-only token: it cannot make links.',
  linkEnds: (time: string): string => `It works once, until ${time}.`,
  access: 'Access',
  knownAs: (user: string): string => `Other clients see your decisions as made by “${user}”.`,
  signOutHelp: 'Signs out this browser only. Running sessions continue.',
  about: 'About',
  recordings: 'Open a recording',
  programs: 'Addresses for programs: AAP, ACP, metrics',
};
