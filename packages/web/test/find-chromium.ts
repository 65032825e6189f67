import { access } from 'node:fs/promises';

/** Where systems put Chromium; the first is Debian's. */
export const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
] as const;

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

/** What to do where there is none. */
export const howToGetChromium = 'Install it, or say in CHROMIUM_PATH where it is.';

/** The program of Chromium: that of `CHROMIUM_PATH` and no other, else the first that is installed. */
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
