import { http } from './node-http.ts';

const PROXY = /^(?:https?_proxy|no_proxy)$/i;

/**
 * `fetch` by the proxies that the variables name (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Node reads them at its start only
 * where NODE_USE_ENV_PROXY asks for it.
 */
export function createFetch(variables: ReadonlyMap<string, string>): typeof fetch {
  const proxies = [...variables].filter(([name]) => PROXY.test(name));
  if (proxies.length > 0) http.setGlobalProxyFromEnv(Object.fromEntries(proxies));
  // Looked up at the first call: loading it costs 35 ms of every start.
  return (...request) => fetch(...request);
}
