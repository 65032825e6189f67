import { refusal } from '../access/refusal.ts';
import { htmlPage, markup } from '../pages/html.ts';
import type { Route } from '../server/route.ts';
import { wantsPage } from './sign-in-page.ts';
import { indexName, type AssetVariant, type WebAsset, type WebAssets } from './web-assets.ts';

/**
 * The web interface: `/` and every path without another route. Each path serves the same page, which routes on the
 * client side.
 *
 * @param assets Undefined if the web interface was not built.
 */
export function webRoute(assets: WebAssets | undefined): Route {
  return {
    path: '/',
    isPrefix: true,
    isReadOnly: true,
    answer: (request, { requestId }) => {
      const { pathname } = new URL(request.url);
      const asset = assets?.find(pathname.slice(1));
      if (asset !== undefined) return toResponse(request, asset);
      const isPage = pathname === '/' || (wantsPage(request) && !/^\/(?:api|assets)(?:\/|$)/u.test(pathname));
      if (!isPage) return refusal(404, 'not_found', `no route for ${pathname}`, { requestId });
      const index = assets?.find(indexName);
      return index === undefined ? notBuilt() : toResponse(request, index);
    },
  };
}

/** Allows only resources of this server: no other host, no inline script, no embedding in frames. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  'media-src data:',
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** What the interface does not use is not available through it. */
const permissionsPolicy = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': permissionsPolicy,
};

function toResponse(request: Request, { type, isImmutable, variants }: WebAsset): Response {
  const variant = chooseVariant(request, variants);
  const headers = {
    'cache-control': isImmutable ? 'private, max-age=31536000, immutable' : 'no-cache',
    etag: variant.etag,
    vary: 'Accept-Encoding',
    'cross-origin-resource-policy': 'same-origin',
    ...(type.startsWith('text/html') && pageHeaders),
  };
  if (knows(request, variant)) return new Response(null, { status: 304, headers });
  return new Response(variant.bytes, {
    headers: {
      ...headers,
      'content-type': type,
      'content-length': String(variant.bytes.byteLength),
      ...(variant.encoding !== undefined && { 'content-encoding': variant.encoding }),
    },
  });
}

function chooseVariant({ headers }: Request, variants: readonly AssetVariant[]): AssetVariant {
  const accepted = new Map(
    (headers.get('accept-encoding') ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
      return [name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/u.test(parameter))];
    }),
  );
  const isAccepted = ({ encoding }: AssetVariant): boolean =>
    encoding === undefined || (accepted.get(encoding) ?? accepted.get('*') ?? false);
  const chosen = variants.find(isAccepted);
  if (chosen === undefined) throw new Error('a file has no variant that is sent as it is');
  return chosen;
}

function knows({ headers }: Request, { etag }: AssetVariant): boolean {
  const known = headers.get('if-none-match')?.split(',') ?? [];
  return known.some((tag) => tag.trim().replace(/^W\//u, '') === etag);
}

function notBuilt(): Response {
  return htmlPage(
    'Parley',
    markup`<h1>Parley</h1>
      <p>The web interface has not been built: run <code>npm run build</code>, or <code>npm start</code>, and start the server again.</p>
      <p>Programs need none: see <a href="/programs">what they can use</a>.</p>`,
    { status: 503 },
  );
}
