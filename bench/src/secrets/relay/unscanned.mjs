import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Loaded before a built gateway: its scanner of whole bodies then answers at once that there is nothing. The product has
 * no such switch. Fails where the built program has no such function, so that nothing is measured against itself.
 */
const SCAN = 'scanBody(body,contentType){';

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/gateway.js')) return loaded;
    const parts = readFileSync(new URL(url), 'utf8').split(SCAN);
    if (parts.length !== 2) throw new Error(`${url} has ${parts.length - 1} functions ${SCAN} …`);
    return { ...loaded, source: parts.join(`${SCAN} return { findings: [], mask: () => body };`) };
  },
});
