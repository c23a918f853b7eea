import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The console's pages, as exactly the files its server may hand out without a right (console-2): `client.js`,
 * `client.css`, `favicon.svg` and `fonts/`. The mode is the deployment profile: as a condition it decides which tabs exist
 * in the artifact at all.
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
      checks: { pluginTimings: false }, // its output is shown at the first start of the product
      output: {
        codeSplitting: false,
        entryFileNames: 'client.js',
        assetFileNames: ({ names }) => (names[0]?.endsWith('.css') ? 'client.css' : 'fonts/[name][extname]'),
      },
    },
  },
}));
