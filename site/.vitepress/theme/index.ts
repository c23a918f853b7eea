import DefaultTheme from 'vitepress/theme';
import type { App } from 'vue';
import './contrast.css';
import './page.css';
import Diagram from './diagram/diagram.ts';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }: { readonly app: App }): void {
    app.component('Diagram', Diagram);
  },
};
