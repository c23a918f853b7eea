import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import manifest from '../../package.json' with { type: 'json' };
import { SECTIONS } from '../build/sections.ts';

/** The manual is built for the one address under which the gateway serves it (specification, Versioning 1). */
export default defineConfig({
  title: 'gateway',
  description: 'An authenticating, recording gateway between developers’ tools and language-model engines',
  lang: 'en',
  base: `/v/${manifest.version}/`,
  srcDir: 'pages',
  cleanUrls: true,
  lastUpdated: false,
  // Switching between light and dark would write a style into the page, which its content-security-policy forbids.
  appearance: { disableTransition: false },
  head: [['link', { rel: 'icon', href: `/v/${manifest.version}/favicon.svg`, type: 'image/svg+xml' }]],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  vite: {
    resolve: {
      alias: [
        {
          find: /^.*\/VPLocalSearchBox\.vue$/,
          replacement: fileURLToPath(new URL('./theme/search/box.ts', import.meta.url)),
        },
      ],
    },
  },
  themeConfig: {
    // Its button, keys and index; the box itself is ours, and asks the gateway.
    search: { provider: 'local' },
    sidebar: SECTIONS.map(({ text, pages }) => ({
      text,
      items: pages.map(({ title, path }) => ({ text: title, link: `/${path}` })),
    })),
  },
});
