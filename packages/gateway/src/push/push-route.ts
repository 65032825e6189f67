import { randomBytes } from 'node:crypto';
import type { Pass } from '../access/gate.ts';
import { refusal } from '../access/refusal.ts';
import { mayAdminister } from '../access/session-access.ts';
import { scopes, type Principal, type TokenRecord } from '../access/token.ts';
import type { PushLimits } from '../limits.ts';
import type { Route } from '../server/route.ts';
import { parsePushRequest, type AllowsAddress, type PushDevice } from './push-device.ts';
import type { PushFile } from './push-file.ts';

/** What the route works with. */
export interface PushRouteOptions {
  readonly file: PushFile;
  readonly limits: Pick<PushLimits, 'devices'>;
  readonly allows: AllowsAddress;
  /** The token of a device, while the device is signed in. */
  readonly tokenOf: (device: PushDevice) => TokenRecord | undefined;
  /** Called when the list of devices has changed. */
  readonly onChange: () => Promise<void>;
}

/** The path below which pages manage notifications. */
const pushPath = '/api/push';

/** The longest subscription that is read. */
const mostBodyBytes = 8 * 1024;

/**
 * - `GET /api/push`: the server's public key, and the devices of the token; of all tokens for `admin`.
 * - `POST /api/push`: the browser that asks is notified from now on.
 * - `DELETE /api/push/ID`: a device is not notified any more.
 */
export function pushRoute({ file, limits, allows, tokenOf, onChange }: PushRouteOptions): Route {
  const list = async (principal: Principal, pass: Pass): Promise<Response> => {
    const devices = (await file.devices()).flatMap((device) => {
      const owner = tokenOf(device);
      if (owner === undefined || !maySee(principal, owner)) return [];
      const { id, name, kinds, createdAt, browser } = device;
      const isThis = pass.browser === browser;
      return [{ id, name, kinds, createdAt, token: owner.name, ...(isThis && { isThis }) }];
    });
    return Response.json({ publicKey: (await file.key()).publicKey, devices });
  };

  const subscribe = async (request: Request, { token, browser }: Pass): Promise<Response> => {
    if (browser === undefined) {
      return refusal(403, 'no_browser', 'only a browser that is signed in can be notified');
    }
    const asked = parsePushRequest(await readJson(request), allows);
    if (typeof asked === 'string') return refusal(400, 'invalid_request', asked);
    // A worker renews the subscription of a device, without kinds: one that was revoked does not come back that way.
    const isKnown = (await file.devices()).some((device) => device.browser === browser);
    if (asked.kinds === undefined && !isKnown) {
      return refusal(404, 'unknown_device', 'this browser is not notified; "kinds" subscribes it');
    }
    const id = randomBytes(9).toString('base64url');
    await file.change((devices) => {
      const earlier = devices.find((device) => device.browser === browser);
      const { endpoint, publicKey, auth } = asked;
      const added: PushDevice = {
        id: earlier?.id ?? id,
        name: asked.name ?? earlier?.name ?? '',
        kinds: asked.kinds ?? earlier?.kinds ?? [],
        createdAt: earlier?.createdAt ?? new Date().toISOString(),
        browser,
        token,
        endpoint,
        publicKey,
        auth,
      };
      // The same browser may have signed in again. One that has signed out does not come back as the same.
      const others = devices.filter(
        (device) =>
          device.browser !== browser && device.endpoint !== endpoint && tokenOf(device) !== undefined,
      );
      const own = others.filter((device) => device.token === token);
      const dropped = new Set(own.slice(0, Math.max(0, own.length - limits.devices + 1)));
      return [...others.filter((device) => !dropped.has(device)), added];
    });
    await onChange();
    return Response.json({}, { status: 201 });
  };

  const revoke = async (id: string, principal: Principal): Promise<Response> => {
    const found = (await file.devices()).find((device) => device.id === id);
    const owner = found === undefined ? undefined : tokenOf(found);
    if (owner === undefined || !maySee(principal, owner)) {
      return refusal(404, 'unknown_device', `no device ${JSON.stringify(id)}`);
    }
    await file.change((devices) => devices.filter((device) => device.id !== id));
    await onChange();
    return Response.json({});
  };

  return {
    path: pushPath,
    isPrefix: true,
    // It changes nothing but what the token's own browsers receive.
    scopes: () => scopes,
    answer: (request, { requestId, principal, pass }) => {
      if (principal === undefined || pass === undefined) {
        return refusal(401, 'unauthorized', 'a token is required', { requestId });
      }
      const id = new URL(request.url).pathname.slice(pushPath.length).replaceAll('/', '');
      if (request.method === 'GET' && id === '') return list(principal, pass);
      if (request.method === 'POST' && id === '') return subscribe(request, pass);
      if (request.method === 'DELETE' && id !== '') return revoke(id, principal);
      return refusal(405, 'method_not_allowed', `${request.method} is not allowed here`, {
        requestId,
        headers: { allow: id === '' ? 'GET, POST' : 'DELETE' },
      });
    },
  };
}

function maySee(principal: Principal, { id }: TokenRecord): boolean {
  return principal.id === id || mayAdminister(principal);
}

/** Undefined for what is too long, or no JSON. */
async function readJson(request: Request): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | null = request.body;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBodyBytes) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
