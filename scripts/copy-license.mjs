import { copyFile } from 'node:fs/promises';

// Part of `npm pack`, which runs it in the package: each tarball carries the license.

await copyFile(new URL('../LICENSE', import.meta.url), 'LICENSE');
