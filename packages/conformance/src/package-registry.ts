import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/**
 * A package in the registry: its files without `package.json`, and the fields of that in addition to name and
 * version.
 */
export interface FixturePackage {
  readonly name: string;
  readonly version: string;
  readonly manifest?: object;
  readonly files: Readonly<Record<string, string>>;
}

/** An npm registry on the loopback interface. */
export interface FixtureRegistry extends AsyncDisposable {
  readonly url: string;
  /** The requested paths. */
  readonly requests: readonly string[];
}

/** Serves packages like the npm registry. */
export async function openRegistry(packages: readonly FixturePackage[]): Promise<FixtureRegistry> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(request.url ?? '');
    requests.push(asked);
    const found = packages.find(({ name }) => asked === `/${name}` || asked.startsWith(`/${name}/-/`));
    if (found === undefined) {
      response.writeHead(404).end('{}');
      return;
    }
    const { name, version } = found;
    const manifest = { name, version, ...found.manifest };
    const archive = toArchive({ 'package.json': JSON.stringify(manifest), ...found.files });
    if (asked !== `/${name}`) {
      response.end(archive);
      return;
    }
    const dist = {
      tarball: `${url}${name}/-/${version}.tgz`,
      integrity: `sha512-${createHash('sha512').update(archive).digest('base64')}`,
    };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: version },
        versions: { [version]: { ...manifest, dist } },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String(portOf(server.address()))}/`;
  return {
    url,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('the registry has no port');
  return address.port;
}

/** A tar file (ustar), compressed, in which all files are in the folder `package`. */
function toArchive(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(`package/${name}`, 0);
    header.write('0000755\0', 100);
    header.write('0000000\0', 108);
    header.write('0000000\0', 116);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        ', 148);
    header.write('0', 156);
    header.write('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]));
}
