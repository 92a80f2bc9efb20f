import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

// `base: './'`: the page works under any address. The result lies in the Python package, so that users need no Node.
export default defineConfig({
  base: './',
  plugins: [svelte(), svelteTesting()],
  build: {
    outDir: '../src/ruse/studio/static',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 400,
    assetsInlineLimit: 2048,
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8765', ws: true } } },
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'] },
});
