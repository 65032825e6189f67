/** What a person sets for their browser. */
export const settings = {
  appearance: 'Appearance',
  otherDevice: 'Sign in on another device',
  otherDeviceHelp:
    'Makes a link that signs in one browser, once. The device has to reach this server under the same address.',
  makeLink: 'Make a link',
  makeAnotherLink: 'Make another link',
  copyLink: 'Copy the link',
  linkObserver: 'You signed in with a token that may only look: links are made by others.',
  linkEnds: (time: string): string => `It counts once, until ${time}.`,
  access: 'Access',
  knownAs: (person: string): string => `Others see what you decide here as by “${person}”.`,
  signOutHelp: 'Signs out this browser only. What runs, runs on.',
  about: 'About',
  recordings: 'Read a recording of what went over the wire',
  programs: 'Addresses for programs: AAP, ACP, metrics',
};
