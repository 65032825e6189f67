import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** Where the interface is when it is developed: what is not its own comes from a `parley serve` beside it. */
const server = process.env['PARLEY_SERVER'] ?? 'http://127.0.0.1:7717';

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['@parley/source', ...defaultClientConditions] },
  build: { outDir: 'dist', target: 'es2023', reportCompressedSize: false },
  server: { proxy: { '/api': server, '/desk': { target: server, ws: true } } },
});
