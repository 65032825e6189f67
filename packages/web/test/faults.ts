import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** The folder for screenshots. @default none are taken */
export const pictures: string | undefined = process.env['PARLEY_PICTURES'];
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Accessibility problems, and overflowing content. Takes the picture, too. */
export async function faults(page: Page, name: string): Promise<readonly string[]> {
  await picture(page, name);
  // A page that was checked before still has the script.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.addScriptTag({ path: axe });
  const { violations } = await page.evaluate<AxeResults>(
    // What passes is not reported.
    "axe.run({ resultTypes: ['violations'], selectors: false })",
  );
  const excess = await page.evaluate<number>(
    "Math.max(...[...document.querySelectorAll('html, .page, .agents-main')].map((each) => each.scrollWidth - each.clientWidth))",
  );
  return [
    ...violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ...(excess > 0 ? [`it is ${String(excess)} pixels too wide`] : []),
  ];
}

/** Takes a picture of a page, where one is wanted. */
export async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact?: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
