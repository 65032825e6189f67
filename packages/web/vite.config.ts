import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/** Where the interface is when it is developed: what is not its own comes from a `parley serve` beside it. */
const server = process.env['PARLEY_SERVER'] ?? 'http://127.0.0.1:7717';

/** To the server, its requests come from its own page. */
const toServer = { target: server, changeOrigin: true, headers: { origin: server } };

/** Nothing is painted before the page knows its theme: else a dark one begins with a flash of white. */
const paintLater: Plugin = {
  name: 'paint-later',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
};

interface Modules {
  getModuleInfo(id: string): { readonly isEntry: boolean; readonly importers: readonly string[] } | null;
}

/** Whether a module is loaded before any page, because no dynamic import is between it and an entry. */
function isFirst(id: string, modules: Modules, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const info = modules.getModuleInfo(id);
  if (info === null) return false;
  return info.isEntry || info.importers.some((importer) => isFirst(importer, modules, seen));
}

export default defineConfig({
  plugins: [react(), paintLater],
  resolve: {
    conditions: ['@parley/source', ...defaultClientConditions],
    // React has what the shim of wouter brings to older ones.
    alias: { 'use-sync-external-store/shim/index.js': 'react' },
  },
  build: {
    outDir: 'dist',
    target: 'es2023',
    reportCompressedSize: false,
    // Those whose code is in it want to be named.
    license: { fileName: 'licenses.txt' },
    // Each browser that this is built for preloads by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'src/service-worker/service-worker.ts'],
      output: {
        // The worker is for all pages from the folder that it is in, and browsers look for a newer one under the same name.
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        // What pages share of these is one file, which stays as it is when the interface changes.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](?:(?:react|react-dom|scheduler)[\\/]|lucide-react[\\/]dist[\\/]esm[\\/](?!icons))/u,
            },
            // Small modules that pages share are one file, because each file is a request of its own. What is there before any page stays outside.
            {
              name: (id, modules) => (isFirst(id, modules) ? null : 'shared'),
              debugName: 'shared',
              minShareCount: 2,
              maxModuleSize: 12_000,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': toServer, '/acp': { ...toServer, ws: true }, '/sign-in': toServer } },
});
