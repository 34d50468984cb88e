import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// `pnpm dev` serves the page with hot reload and passes /api on to the running API server.
const api = process.env['STEMMA_API'] ?? 'http://127.0.0.1:4317';

export default defineConfig({
  plugins: [svelte()],
  server: { host: '127.0.0.1', proxy: { '/api': { target: api, changeOrigin: true } } },
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false }, sourcemap: false },
});
