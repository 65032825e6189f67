import { HostError } from '@parley/host';
import { expect, test } from 'vitest';
import { AgentInstallations } from './agent-installations.ts';
import type { HubCatalogue, InstallAgentOptions } from './hub-catalogue.ts';

/** A catalogue whose installations end only when they are cancelled. */
function endlessCatalogue(begun: InstallAgentOptions[]): HubCatalogue {
  return {
    find: async () => [],
    install: (name, options) => {
      begun.push(options);
      return new Promise((_resolve, reject) => {
        options.signal.addEventListener('abort', () =>
          reject(new HostError('aborted', `install ${name}: aborted`)),
        );
      });
    },
    add: async () => undefined,
    remove: async () => undefined,
    routeProvider: async () => undefined,
  };
}

test('cancelling an installation ends it for all clients that wait for it, and it can be started again', async () => {
  const begun: InstallAgentOptions[] = [];
  let changes = 0;
  const installations = new AgentInstallations(endlessCatalogue(begun), () => (changes += 1));

  const waiting = [installations.install('claude'), installations.install('claude')];
  begun[0]?.onProgress(7);
  expect(installations.find('claude')).toMatchObject({ fetched: 7 });
  expect(begun).toHaveLength(1);
  installations.cancel('claude');

  const settled = await Promise.allSettled(waiting);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(installations.find('claude')).toBeUndefined();
  expect(changes).toBe(3);

  const again = installations.install('claude');
  expect(begun).toHaveLength(2);
  installations.close();
  await expect(again).rejects.toMatchObject({ code: 'aborted' });
});

test('cancelling an agent that is not being installed does nothing', () => {
  const installations = new AgentInstallations(endlessCatalogue([]), () => undefined);
  installations.cancel('claude');
  expect(installations.find('claude')).toBeUndefined();
});
