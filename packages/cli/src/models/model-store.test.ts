import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openKeychain } from './keychain.ts';
import { readStoredProviders, removeProvider, storeProvider, withStoredProviders } from './model-store.ts';

async function home(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-models-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test.skipIf(process.platform === 'win32')(
  'without a keychain, a key is in a file for its user only',
  async () => {
    const folder = await home();
    const env = { PARLEY_HOME: folder, PATH: '/nowhere' };
    expect(await storeProvider({ id: 'openai', key: 'sk-1', model: 'm' }, env)).toBe('file');
    expect((await stat(path.join(folder, 'models.json'))).mode & 0o777).toBe(0o600);
    expect(await withStoredProviders(env)).toMatchObject({
      OPENAI_API_KEY: 'sk-1',
      OPENAI_MODEL: 'm',
      LLM_PROVIDER: 'openai',
    });

    const own = { ...env, OPENAI_API_KEY: 'mine' };
    expect(await withStoredProviders(own)).toEqual(own);
    expect(await removeProvider('openai', env)).toBe(true);
    expect(await removeProvider('openai', env)).toBe(false);
    expect(await withStoredProviders(env)).toEqual(env);
  },
);

test.skipIf(process.platform !== 'linux')(
  'with a keychain, a key is there only, and reaches it on standard input',
  async () => {
    const folder = await home();
    const script = `#!/bin/sh
echo "$@" >> "${folder}/arguments"
case $1 in
  store) cat > "${folder}/key" ;;
  lookup) cat "${folder}/key" ;;
  clear) rm "${folder}/key" ;;
esac
`;
    await writeFile(path.join(folder, 'secret-tool'), script, { mode: 0o755 });
    const env = { PARLEY_HOME: folder, PATH: `${folder}:/usr/bin:/bin`, DBUS_SESSION_BUS_ADDRESS: 'unix:x' };
    expect(await openKeychain({ ...env, DBUS_SESSION_BUS_ADDRESS: '' })).toBeUndefined();

    expect(await storeProvider({ id: 'anthropic', key: 'sk-secret' }, env)).toBe('keychain');

    expect(await readFile(path.join(folder, 'models.json'), 'utf8')).not.toContain('sk-secret');
    expect(await readFile(path.join(folder, 'arguments'), 'utf8')).not.toContain('sk-secret');
    expect(await withStoredProviders(env)).toMatchObject({ ANTHROPIC_API_KEY: 'sk-secret' });
    expect(await readStoredProviders(env)).toEqual([{ id: 'anthropic', keyIn: 'keychain' }]);
    expect(await removeProvider('anthropic', env)).toBe(true);
    await expect(readFile(path.join(folder, 'key'))).rejects.toThrow('ENOENT');
  },
);
