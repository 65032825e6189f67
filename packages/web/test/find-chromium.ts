import { access } from 'node:fs/promises';

/** Usual paths of Chromium; the first is Debian's. */
export const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
] as const;

/** Debian's Chromium without a user interface: its pages cost half the processor time, but it has no notifications. */
export const headlessShell = '/usr/bin/chromium-headless-shell';

/** How it is started: without a graphics card, and without any dialog. */
export const chromiumFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How to install Chromium. */
export const howToGetChromium = 'Install it, or say in CHROMIUM_PATH where it is.';

/** The path of Chromium: only `CHROMIUM_PATH` if set, else the first installed one. */
export async function findChromium(): Promise<string | undefined> {
  const given = process.env['CHROMIUM_PATH'];
  for (const place of given === undefined ? usualPlaces : [given]) {
    const isThere = await access(place).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  return undefined;
}
