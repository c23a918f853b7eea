import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The console's pages: `client.js`, `client.css`, `favicon.svg` and `fonts/`, which its server hands out without a right
 * (console-2), and `scripts/`, for signed-in readers. `client.js` goes to the sign-in. The mode is the deployment profile: as a
 * condition it decides which tabs exist in the artifact at all.
 */
export default defineConfig(({ mode }) => ({
  root: 'src/web',
  plugins: [react()],
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  resolve: { conditions: [mode, 'module', 'browser', 'import', 'default'] },
  build: {
    emptyOutDir: true,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    target: 'es2022',
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: {
        pages: fileURLToPath(new URL('src/web/index.html', import.meta.url)),
        client: fileURLToPath(new URL('src/web/client.ts', import.meta.url)),
      },
      checks: { pluginTimings: false }, // its output is shown at the first start of the product
      output: {
        entryFileNames: ({ name }) => (name === 'client' ? 'client.js' : 'scripts/[name]-[hash].js'),
        chunkFileNames: 'scripts/[name]-[hash].js',
        assetFileNames: ({ names }) => (names[0]?.endsWith('.css') ? 'client.css' : 'fonts/[name][extname]'),
      },
    },
  },
}));
